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
 * Zips a document into {@code archived_document} and deletes it, in the transaction that also ends
 * the job.
 *
 * <p>There is deliberately no lock and no unique key here that would hide a job run twice: two at
 * once make two rows in the archive, one after the other makes a dead letter.
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
          "document " + job.documentId() + " is gone: it has been archived before");
    }
    entities.persist(new ArchivedDocument(document));
    entities.remove(document);
    return JobResult.done();
  }
}
