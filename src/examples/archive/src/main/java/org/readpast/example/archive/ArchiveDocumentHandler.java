package org.readpast.example.archive;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/**
 * Zips a document into {@code archived_document} and deletes it, in the transaction that also
 * completes the job.
 *
 * <p>This code deliberately has no lock and no unique key that would hide a job that runs twice:
 * two concurrent runs create two rows in the archive, and two successive runs create a dead letter.
 */
@ApplicationScoped
@Receive(ReceiveMode.TRANSACTIONAL)
public class ArchiveDocumentHandler implements JobHandler<ArchiveDocument> {
  @PersistenceContext(unitName = "archive")
  private EntityManager entities;

  @Override
  public JobResult handle(ArchiveDocument job, JobContext context) throws IOException {
    Document document = entities.find(Document.class, job.documentId());
    if (document == null) {
      return JobResult.failNow(
          "document " + job.documentId() + " no longer exists: it has already been archived");
    }
    entities.persist(new ArchivedDocument(document));
    entities.remove(document);
    return JobResult.done();
  }
}
