package org.readpast.example.archive;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import org.readpast.api.Handles;

/**
 * Computes the content of a listing. The rule {@code listings} runs this job first, and enqueues
 * the archiving job in the transaction that completes the listing.
 */
@ApplicationScoped
public class ListPackageHandler {
  @PersistenceContext(unitName = "archive")
  private EntityManager entities;

  /** Computes one listing. */
  @Handles
  public void list(ListPackage job) throws IOException {
    Document listing = entities.find(Document.class, job.documentId());
    listing.compute(Originals.bytes(listing.path()));
  }
}
