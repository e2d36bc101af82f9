package org.readpast.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.DatabaseHealth;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.store.Transactions;

/** What is running here: versions, the configuration in force, and how the database is. */
public final class About implements Scoped<About> {
  private final Transactions transactions;
  private final String version;
  private final Function<QueueScope, List<Setting>> configuration;
  private final DatabaseHealth health;
  private final QueueAccess access;

  /**
   * @param version of Readpast
   * @param configuration of the queues that are seen; asked each time: sources may change while it
   *     runs
   */
  public About(
      Transactions transactions,
      String version,
      Function<QueueScope, List<Setting>> configuration) {
    this(transactions, version, configuration, QueueAccess.EVERYTHING);
  }

  private About(
      Transactions transactions,
      String version,
      Function<QueueScope, List<Setting>> configuration,
      QueueAccess access) {
    this.access = access;
    this.transactions = transactions;
    this.version = version;
    this.configuration = configuration;
    this.health = new DatabaseHealth(transactions);
  }

  @Override
  public About within(QueueAccess caller) {
    return new About(transactions, version, configuration, caller);
  }

  /**
   * One key of the configuration.
   *
   * @param value null: nothing is said, or what is said is secret
   * @param source what says it; {@code default}: nobody does
   * @param secret whether it is set, and never shown
   * @param known false: Readpast reads no such key, so it is perhaps misspelt
   */
  public record Setting(
      String key, @Nullable String value, String source, boolean secret, boolean known) {}

  /**
   * How the database is.
   *
   * @param relations none for a caller whose role is limited to some queues: they grow with all
   * @param heldBack null: nothing keeps vacuum from its work
   */
  public record Database(
      List<DatabaseHealth.Relation> relations,
      long hiddenSessions,
      DatabaseHealth.@Nullable Transaction oldestTransaction,
      DatabaseHealth.@Nullable Held heldBack) {}

  /**
   * By what they are of.
   *
   * @param server what the application server says it is
   */
  public Map<String, String> versions(String server) {
    return transactions.required(
        () -> {
          Map<String, String> versions = new LinkedHashMap<>();
          versions.put("Readpast", version);
          versions.put("Server", server);
          versions.put(
              "Java",
              Runtime.version() + " (" + System.getProperty("java.vendor", "unknown") + ")");
          versions.put("PostgreSQL", health.version());
          versions.put("EclipseLink", health.provider());
          return versions;
        });
  }

  /**
   * The keys that are set, and the defaults of the others; for a caller from which queues are
   * hidden, only the keys that have no name in them, or that of a queue that is seen.
   */
  public List<Setting> configuration() {
    return configuration.apply(access.seen());
  }

  /** As it is now. */
  public Database database() {
    return transactions.required(
        () -> {
          DatabaseHealth.Open open = health.open();
          return new Database(
              access.isGeneral() ? health.relations() : List.of(),
              open.hiddenSessions(),
              open.oldest(),
              health.held());
        });
  }
}
