package org.readpast.admin.store;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.HealthSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;

/**
 * Reads the state of the database from PostgreSQL's statistics. The duration of the query does not
 * depend on the number of jobs.
 */
public final class DatabaseHealth {
  private final Transactions transactions;

  public DatabaseHealth(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes a table or an index of Readpast.
   *
   * @param table the table of an index; null for a table
   * @param live the estimated number of rows; null for an index
   * @param dead the number of dead rows that vacuum has not removed yet
   * @param vacuumedAt the time of the last vacuum, or null if there was none since the statistics
   *     began
   * @param scans how often an index was read; null for a table
   */
  public record Relation(
      String name,
      @Nullable String table,
      long bytes,
      @Nullable Long live,
      @Nullable Long dead,
      @Nullable Instant vacuumedAt,
      @Nullable Long scans) {}

  /**
   * Describes the open transactions of the database.
   *
   * @param hiddenSessions the number of sessions of other users; PostgreSQL shows their
   *     transactions only to roles that have pg_read_all_stats
   * @param oldest the oldest transaction, or null if there is none
   */
  public record Open(long hiddenSessions, @Nullable Transaction oldest) {}

  /** Describes an open transaction. */
  public record Transaction(
      long millis, int process, @Nullable String application, @Nullable String state) {}

  /**
   * Describes a session, prepared transaction or replication slot that keeps vacuum from removing
   * dead rows.
   *
   * @param transactions the number of transactions that have begun since, as a measure of what
   *     vacuum cannot remove
   * @param process the process id, for a session
   */
  public record Held(
      long transactions, Holder by, @Nullable String name, @Nullable Integer process) {}

  /** Lists the objects that can hold back vacuum. */
  public enum Holder {
    /** A transaction of a connected session holds back vacuum. */
    SESSION,
    /** A prepared transaction was neither committed nor rolled back. */
    PREPARED,
    /** A replication slot has a consumer that is disconnected or slow. */
    SLOT
  }

  /**
   * Counts the prepared transactions in all databases, which wait for the second phase of their
   * commit.
   */
  public record Prepared(int most, long now) {}

  /** Returns the maximum number and the current number of prepared transactions. */
  public Prepared prepared() {
    Prepared prepared =
        Sql.first(
            transactions.entityManager(),
            HealthSql.prepared(),
            row -> new Prepared(row.integer(0), row.number(1)));
    return Objects.requireNonNull(prepared);
  }

  /** Returns the tables with their indexes, largest first. */
  public List<Relation> relations() {
    return Sql.rows(
        transactions.entityManager(),
        HealthSql.relations(),
        row ->
            new Relation(
                row.text(0),
                row.textOrNull(1),
                row.number(2),
                row.numberOrNull(3),
                row.numberOrNull(4),
                row.momentOrNull(5),
                row.numberOrNull(6)));
  }

  /** Returns the transactions of other sessions in this database. */
  public Open open() {
    Open open =
        Sql.first(
            transactions.entityManager(),
            HealthSql.oldestTransaction(),
            row ->
                new Open(
                    row.number(0),
                    row.isNull(1)
                        ? null
                        : new Transaction(
                            row.number(1), row.integer(2), row.textOrNull(3), row.textOrNull(4))));
    return Objects.requireNonNull(open);
  }

  /** Returns the object that holds back vacuum the furthest, or null if vacuum is not held back. */
  public @Nullable Held held() {
    return Sql.first(
        transactions.entityManager(),
        HealthSql.oldestXmin(),
        row ->
            new Held(
                row.number(0),
                Holder.valueOf(row.text(1)),
                row.textOrNull(2),
                row.integerOrNull(3)));
  }

  /** Returns the version of PostgreSQL. */
  public String version() {
    String version =
        Sql.first(transactions.entityManager(), HealthSql.version(), row -> row.text(0));
    return Objects.requireNonNull(version);
  }

  /** Returns the version of EclipseLink, or of the persistence provider that is used instead. */
  public String provider() {
    EntityManager em = transactions.entityManager();
    Class<?> provider = em.getEntityManagerFactory().getClass();
    try {
      // The classes of EclipseLink are loaded by name, because the server provides them but hides
      // them from applications. Payara has several class loaders for EclipseLink. The class Version
      // is loaded by the class loader of the class Session.
      ClassLoader core =
          Class.forName(
                  "org.eclipse.persistence.sessions.Session", false, provider.getClassLoader())
              .getClassLoader();
      Object version =
          Class.forName("org.eclipse.persistence.Version", true, core)
              .getMethod("getVersion")
              .invoke(null);
      return String.valueOf(version);
    } catch (ReflectiveOperationException | LinkageError e) {
      String version = provider.getPackage().getImplementationVersion();
      return version == null ? "unknown" : version;
    }
  }
}
