package org.readpast.admin.store;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.HealthSql;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/** How the database is, by its own statistics; quick however many jobs there are. */
public final class DatabaseHealth {
  private final Transactions transactions;

  public DatabaseHealth(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * A table or an index of ours.
   *
   * @param table whose index it is; null: it is a table
   * @param live rows by the statistics; null for an index
   * @param dead rows that vacuum has not removed yet
   * @param vacuumedAt null: not since the statistics began
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
   * What is open in the database.
   *
   * @param hiddenSessions of other users: of these PostgreSQL tells no more without the role
   *     pg_read_all_stats
   * @param oldest null: there is none
   */
  public record Open(long hiddenSessions, @Nullable Transaction oldest) {}

  /** A transaction that has not ended. */
  public record Transaction(
      long millis, int process, @Nullable String application, @Nullable String state) {}

  /**
   * What keeps vacuum from removing dead rows.
   *
   * @param transactions that have begun since, so a measure of what cannot be removed
   * @param process of a session
   */
  public record Held(
      long transactions, Holder by, @Nullable String name, @Nullable Integer process) {}

  /** Who holds vacuum back. */
  public enum Holder {
    /** A transaction of somebody connected. */
    SESSION,
    /** A prepared transaction that nobody has ended. */
    PREPARED,
    /** A replication slot whose reader stays away, or is slow. */
    SLOT
  }

  /** Transactions that wait for the second phase of their commit; of all databases. */
  public record Prepared(int most, long now) {}

  /** How many transactions may be prepared, and how many are. */
  public Prepared prepared() {
    Prepared prepared =
        Sql.first(
            transactions.entityManager(),
            HealthSql.prepared(),
            row -> new Prepared(row.integer(0), row.number(1)));
    return Objects.requireNonNull(prepared);
  }

  /** The tables with their indexes, largest first. */
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

  /** The transactions of others in this database. */
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

  /** What holds vacuum back the furthest; null: nothing. */
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

  /** The version of PostgreSQL. */
  public String version() {
    String version =
        Sql.first(transactions.entityManager(), HealthSql.version(), row -> row.text(0));
    return Objects.requireNonNull(version);
  }

  /** The version of EclipseLink, or of what is in its place. */
  public String provider() {
    EntityManager em = transactions.entityManager();
    Class<?> provider = em.getEntityManagerFactory().getClass();
    try {
      // Not classes to compile against: the server brings them, and shows them to no application.
      // Payara's have several loaders; that of the sessions has the version too.
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
