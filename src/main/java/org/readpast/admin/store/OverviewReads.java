package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.OverviewSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.Durations;
import org.readpast.model.QueueScope;

/**
 * Reads the state of the visible queues, in the current transaction, without counting all jobs of a
 * large backlog.
 */
public final class OverviewReads {
  private final Transactions transactions;
  private final QueueScope seen;

  public OverviewReads(Transactions transactions, QueueScope seen) {
    this.transactions = transactions;
    this.seen = seen;
  }

  /** Holds percentiles in ms; 0 if there are no values. */
  public record Times(double p50, double p95, double p99) {
    static Times of(List<Long> counts) {
      return new Times(
          Durations.percentile(counts, 0.5),
          Durations.percentile(counts, 0.95),
          Durations.percentile(counts, 0.99));
    }
  }

  /**
   * Holds the durations of jobs in the last few minutes.
   *
   * @param waited the times from the due time of a job to its claim
   * @param ran the times that handlers took
   */
  public record Taken(Times waited, Times ran) {}

  /** Returns the durations of jobs in the given number of minutes. */
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

  /** Returns the number of jobs per second that ended or failed in the last minute, by queue. */
  public Map<String, Double> rates() {
    Map<String, Double> rates = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        OverviewSql.rates(),
        row -> rates.put(row.text(0), row.decimal(1)));
    return rates;
  }

  /** Returns the depth of each queue in each of the last minutes, oldest first. */
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

  /**
   * Returns how many ms the oldest job of each queue has been due; queues without such a job are
   * omitted.
   */
  public Map<String, Long> oldest() {
    Map<String, Long> oldest = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        OverviewSql.oldest(),
        row -> oldest.put(row.text(0), row.number(1)));
    return oldest;
  }

  /**
   * Counts the discarded jobs that hold waves, those that hold groups, and the batches that an
   * operator holds; each count stops at 100.
   */
  public record Holds(long waves, long groups, long batches) {}

  /** Returns the counts of jobs and batches that hold others. */
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
   * Returns the stored types of AVAILABLE jobs that no node handles, and how many ms the oldest job
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

  /** Returns the stored types with jobs that no live node can read. */
  public List<String> unreadable() {
    return Sql.rows(
        transactions.entityManager(),
        OverviewSql.unreadable(),
        row -> row.text(0),
        seen.names(),
        seen.others());
  }

  /** Describes a transaction of any application. */
  public record OldTransaction(long millis, @Nullable String application) {}

  /**
   * Returns the transaction that has held back vacuum for the longest time, or null if none is
   * visible.
   */
  public @Nullable OldTransaction oldestTransaction() {
    return Sql.first(
        transactions.entityManager(),
        OverviewSql.oldestTransaction(),
        row -> new OldTransaction(row.number(0), row.textOrNull(1)));
  }

  /**
   * Holds values that change whenever something has happened in the visible queues.
   *
   * @param queues a summary of the queues' settings
   * @param nodes a summary of the nodes' states, or null if only named queues are visible
   */
  public record Pulse(
      long enqueued,
      long completed,
      long failed,
      long discarded,
      String queues,
      @Nullable String nodes) {}

  /** Returns the sum of all counters that the nodes have reported so far. */
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
                    row.textOrNull(5)),
            seen.names(),
            seen.others())
        .get(0);
  }
}
