package org.readpast.runtime;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A data source as JPA sees it. Which one that is, is known at run time only, so the factory is
 * made here and not injected; when it is first used, as the database may come after the server.
 */
final class JpaSource {
  private final String name;
  private final BooleanSupplier inTransaction;
  private volatile @Nullable EntityManagerFactory factory;

  JpaSource(String name, BooleanSupplier inTransaction) {
    this.name = name;
    this.inTransaction = inTransaction;
  }

  /** Its JNDI name. */
  String name() {
    return name;
  }

  EntityManager entityManager() {
    EntityManagerFactory made = factory;
    if (made == null) {
      synchronized (this) {
        made = factory;
        if (made == null) {
          // EclipseLink shares sessions by name, over all applications of a server.
          made =
              Persistence.createEntityManagerFactory(
                  "readpast",
                  Map.of(
                      "jakarta.persistence.jtaDataSource",
                      new CommittingDataSource(DataSources.find(name), inTransaction),
                      "eclipselink.session-name",
                      UUID.randomUUID().toString()));
          factory = made;
        }
      }
    }
    return made.createEntityManager();
  }

  void close() {
    EntityManagerFactory made = factory;
    if (made != null && made.isOpen()) {
      made.close();
    }
  }
}
