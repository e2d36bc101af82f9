package org.readpast.example.archive;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import org.readpast.api.Handles;

/**
 * Computes the content of a listing. The rule {@code listings} has it done before the archiving:
 * the archiving job comes to exist in the transaction that ends this one.
 */
@ApplicationScoped
public class ListPackageHandler {
  @PersistenceContext(unitName = "archive")
  private EntityManager entities;

  /** Works one listing. */
  @Handles
  public void list(ListPackage job) throws IOException {
    Document listing = entities.find(Document.class, job.documentId());
    listing.compute(Originals.bytes(listing.path()));
  }
}
