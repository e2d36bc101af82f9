package org.readpast.example.archive;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import java.util.List;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/**
 * Loads one chunk of files, and enqueues the job for the next chunk. After the last chunk, enqueues
 * jobs that run the rules, which find the documents and enqueue a job for each.
 *
 * <p>A chunk and its next job are one transaction: if a server dies, either the whole chunk or
 * nothing of it was loaded, and the remaining job continues from there.
 */
@ApplicationScoped
@Receive(ReceiveMode.TRANSACTIONAL)
public class LoadChunkHandler implements JobHandler<LoadChunk> {
  private static final int CHUNK = 500;

  @PersistenceContext(unitName = "archive")
  private EntityManager entities;

  @Override
  public JobResult handle(LoadChunk chunk, JobContext context) throws IOException {
    ArchiveRun run = entities.find(ArchiveRun.class, chunk.runId());
    List<String> paths = Originals.pathsAfter(chunk.after(), CHUNK);
    for (String path : paths) {
      byte[] content = Originals.isListing(path) ? null : Originals.bytes(path);
      entities.persist(new Document(run.id(), path, content));
    }
    run.addLoaded(paths.size());
    if (paths.size() == CHUNK) {
      context.enqueue(new LoadChunk(run.id(), paths.get(CHUNK - 1)));
    } else {
      context.enqueue(new FillRule("documents"));
      context.enqueue(new FillRule("listings"));
    }
    context.progress(run.loaded(), run.expected());
    return JobResult.done();
  }
}
