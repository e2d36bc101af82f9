package org.readpast.admin.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.OverviewSql;
import org.readpast.model.Durations;
import org.readpast.model.QueueScope;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/**
 * How things stand in the queues that are seen, in the current transaction, without counting jobs
 * to their end.
 */
public final class OverviewReads {
  private final Transactions transactions;
  private final QueueScope seen;

  public OverviewReads(Transactions transactions, QueueScope seen) {
    this.transactions = transactions;
    this.seen = seen;
  }

  /** What all nodes did in a minute. */
  public record Minute(Instant at, long enqueued, long completed, long failed) {}

  /** The last minutes in which something was done, oldest first. */
  public List<Minute> minutes(int number) {
    return Sql.rows(
        transactions.entityManager(),
        OverviewSql.minutes(),
        row -> new Minute(row.moment(0), row.number(1), row.number(2), row.number(3)),
        number,
        seen.names(),
        seen.others());
  }

  /** Percentiles in ms; 0 when there is nothing to tell of. */
  public record Times(double p50, double p95, double p99) {
    static Times of(List<Long> counts) {
      return new Times(
          Durations.percentile(counts, 0.5),
          Durations.percentile(counts, 0.95),
          Durations.percentile(counts, 0.99));
    }
  }

  /**
   * How long jobs took in the last minutes.
   *
   * @param waited from when they were due to when they were claimed
   * @param ran in their handlers
   */
  public record Taken(Times waited, Times ran) {}

  /** How long jobs took in the last minutes. */
  public Taken taken(int minutes) {
    List<Long> waits = new ArrayList<>();
    List<Long> runs = new ArrayList<>();
    Sql.rows(
        transactions.entityManager(),
        OverviewSql.durations(),
        row -> {
          List<Long> classes = row.text(0).equals("WAIT") ? waits : runs;
          while (classes.size() < row.integer(1) - 1) {
            classes.add(0L);
          }
          return classes.add(row.number(2));
        },
        minutes,
        seen.names(),
        seen.others());
    return new Taken(Times.of(waits), Times.of(runs));
  }

  /** Jobs ended or failed per second in the last minute, by queue. */
  public Map<String, Double> rates() {
    Map<String, Double> rates = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        OverviewSql.rates(),
        row -> rates.put(row.text(0), row.decimal(1)));
    return rates;
  }

  /** How deep queues were in each of the last minutes, the oldest first. */
  public Map<String, long[]> depths(int minutes) {
    Map<String, long[]> depths = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        OverviewSql.depths(),
        row -> {
          int ago = row.integer(1);
          if (ago >= 0 && ago < minutes) {
            depths.computeIfAbsent(row.text(0), queue -> new long[minutes])[minutes - 1 - ago] =
                row.number(2);
          }
          return true;
        },
        minutes);
    return depths;
  }

  /** For how many ms the oldest job of each queue has been due; queues without one are left out. */
  public Map<String, Long> oldest() {
    Map<String, Long> oldest = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        OverviewSql.oldest(),
        row -> oldest.put(row.text(0), row.number(1)));
    return oldest;
  }

  /**
   * Discarded jobs that hold waves and groups, and batches that somebody holds: up to a hundred.
   */
  public record Holds(long waves, long groups, long batches) {}

  /** What is held. */
  public Holds holds() {
    return Sql.rows(
            transactions.entityManager(),
            OverviewSql.holds(),
            row -> new Holds(row.number(0), row.number(1), row.number(2)),
            seen.names(),
            seen.others())
        .get(0);
  }

  /**
   * Types, as they are stored, of AVAILABLE jobs that no node works, and for how many ms the oldest
   * has been due.
   */
  public Map<String, Long> notWorked() {
    Map<String, Long> types = new TreeMap<>();
    Sql.rows(
        transactions.entityManager(),
        OverviewSql.notWorked(),
        row -> types.put(row.text(0), row.number(1)),
        seen.names(),
        seen.others());
    return types;
  }

  /** Types, as they are stored, of which no live node can read some jobs. */
  public List<String> unreadable() {
    return Sql.rows(
        transactions.entityManager(),
        OverviewSql.unreadable(),
        row -> row.text(0),
        seen.names(),
        seen.others());
  }

  /** A transaction of some application. */
  public record OldTransaction(long millis, @Nullable String application) {}

  /** The one that has kept vacuum from removing rows for longest; null: none is seen. */
  public @Nullable OldTransaction oldestTransaction() {
    return Sql.first(
        transactions.entityManager(),
        OverviewSql.oldestTransaction(),
        row -> new OldTransaction(row.number(0), row.textOrNull(1)));
  }

  /**
   * What changes when something has happened.
   *
   * @param queues their settings
   * @param nodes their states
   */
  public record Pulse(
      long enqueued, long completed, long failed, long discarded, String queues, String nodes) {}

  /** The sum of what every node has told so far. */
  public Pulse pulse() {
    return Sql.rows(
            transactions.entityManager(),
            OverviewSql.pulse(),
            row ->
                new Pulse(
                    row.number(0),
                    row.number(1),
                    row.number(2),
                    row.number(3),
                    String.valueOf(row.textOrNull(4)),
                    String.valueOf(row.textOrNull(5))),
            seen.names(),
            seen.others())
        .get(0);
  }
}
