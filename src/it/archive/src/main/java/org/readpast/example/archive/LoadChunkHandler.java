package org.readpast.example.archive;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/**
 * Loads one chunk of a run, enqueues a job for each of its documents, and the next chunk.
 *
 * <p>All of it is one transaction: a server that dies leaves either the whole chunk or nothing of
 * it, and the job that remains goes on from there.
 */
@ApplicationScoped
@Receive(ReceiveMode.TRANSACTIONAL)
public class LoadChunkHandler implements JobHandler<LoadChunk> {
  private static final int CHUNK = 500;

  @PersistenceContext(unitName = "archive")
  private EntityManager entities;

  @Inject private JobQueue jobs;

  @Override
  public JobResult handle(LoadChunk chunk, JobContext context) throws IOException {
    ArchiveRun run = entities.find(ArchiveRun.class, chunk.runId());
    List<String> paths = ClassFiles.pathsAfter(chunk.after(), CHUNK);
    List<ArchiveDocument> work = new ArrayList<>();
    for (String path : paths) {
      var document = new Document(run.id(), path, ClassFiles.bytes(path));
      entities.persist(document);
      work.add(new ArchiveDocument(document.id()));
    }
    jobs.enqueueAll(work);
    run.addLoaded(paths.size());
    if (paths.size() == CHUNK) {
      context.enqueue(request(new LoadChunk(run.id(), paths.get(CHUNK - 1))));
    }
    context.progress(run.loaded(), run.expected());
    return JobResult.done();
  }

  /** Ahead of the documents, so that a run is loaded before it is archived. */
  static JobRequest request(LoadChunk chunk) {
    return JobRequest.of(chunk).priority(9);
  }
}
