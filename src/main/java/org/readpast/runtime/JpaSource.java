package org.readpast.runtime;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A data source as JPA sees it. Which one that is, is known at run time only, so the factory is
 * made here and not injected; when it is first used, as the database may come after the server.
 */
final class JpaSource {
  private final String name;
  private final NewTransaction transaction;
  private volatile @Nullable EntityManagerFactory factory;
  private volatile @Nullable Boolean autoCommits;

  JpaSource(String name, NewTransaction transaction) {
    this.name = name;
    this.transaction = transaction;
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
                      name,
                      "eclipselink.session-name",
                      UUID.randomUUID().toString()));
          factory = made;
        }
      }
    }
    return made.createEntityManager();
  }

  /**
   * Whether its connections are in auto-commit mode, as they are unless it was set up otherwise.
   * Asked once, of no connection that the caller has.
   */
  boolean autoCommits() {
    Boolean known = autoCommits;
    if (known == null) {
      known = transaction.notSupported(this::autoCommit).get();
      autoCommits = known;
    }
    return known;
  }

  private boolean autoCommit() {
    try (Connection connection = DataSources.find(name).getConnection()) {
      return connection.getAutoCommit();
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  void close() {
    EntityManagerFactory made = factory;
    if (made != null && made.isOpen()) {
      made.close();
    }
  }
}
