package org.readpast.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.DatabaseHealth;
import org.readpast.database.Transactions;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;

/**
 * Reports what is running: the versions, the effective configuration, and the state of the
 * database.
 */
public final class About implements Scoped<About> {
  private final Transactions transactions;
  private final String version;
  private final Function<QueueScope, List<Setting>> configuration;
  private final DatabaseHealth health;
  private final QueueAccess access;

  /**
   * @param version the version of Readpast
   * @param configuration returns the settings of the visible queues; called for each request,
   *     because the sources may change at run time
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
   * Describes one configuration key.
   *
   * @param value the value, or null if the key is not set or its value is secret
   * @param source the source that sets the key; {@code default} if no source sets it
   * @param secret true if the key is set and its value is never shown
   * @param known false if Readpast does not read this key, which may therefore be misspelled
   */
  public record Setting(
      String key, @Nullable String value, String source, boolean secret, boolean known) {}

  /**
   * Describes the state of the database.
   *
   * @param relations the tables and indexes; empty for a caller whose role is limited to some
   *     queues, because their sizes cover the jobs of all queues
   * @param heldBack the object that holds back vacuum, or null if vacuum is not held back
   */
  public record Database(
      List<DatabaseHealth.Relation> relations,
      long hiddenSessions,
      DatabaseHealth.@Nullable Transaction oldestTransaction,
      DatabaseHealth.@Nullable Held heldBack) {}

  /**
   * Returns the versions by component.
   *
   * @param server the name and version that the application server reports
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
   * Returns the configuration keys that are set, and the defaults of the others. A caller that does
   * not see every queue gets only keys without a queue name, and keys with the name of a visible
   * queue.
   */
  public List<Setting> configuration() {
    return configuration.apply(access.seen());
  }

  /** Returns the current state of the database. */
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
