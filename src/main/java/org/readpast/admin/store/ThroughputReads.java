package org.readpast.admin.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.ThroughputSql;
import org.readpast.admin.sql.ThroughputSql.Grouping;
import org.readpast.admin.sql.ThroughputSql.Period;
import org.readpast.admin.store.OverviewReads.Times;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.QueueScope;

/**
 * Reads the throughput of all nodes in the visible queues, by second, by minute and by job type.
 */
public final class ThroughputReads {
  private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(10);

  private final Transactions transactions;
  private final QueueScope seen;

  public ThroughputReads(Transactions transactions, QueueScope seen) {
    this.transactions = transactions;
    this.seen = seen;
  }

  /**
   * Selects a time span, a queue and a job type.
   *
   * @param after the time after which periods are returned, in seconds since 1970
   * @param queue the queue, or null for all visible queues
   * @param type the job type, or null for all types
   */
  public record Selection(long after, @Nullable String queue, @Nullable String type) {}

  /** Holds counts and durations, by the start of the period or by job type. */
  public record Figures(long enqueued, long completed, long failed, Times waited, Times ran) {
    /** Holds the figures of a period in which nothing happened. */
    public static final Figures NONE =
        new Figures(0, 0, 0, Times.of(List.of()), Times.of(List.of()));
  }

  private record Counts(long enqueued, long completed, long failed) {
    private static final Counts NONE = new Counts(0, 0, 0);
  }

  private record Key<K>(K of, String kind) {}

  /**
   * Holds the current time of the database.
   *
   * @param now the database's time, in seconds since 1970
   * @param longestLease the longest lease of the running nodes; zero if no node runs
   */
  public record Clock(long now, Duration longestLease) {}

  /** Reads the clock of the database. */
  public Clock clock() {
    return Sql.rows(
            transactions.entityManager(),
            ThroughputSql.clock(),
            row -> new Clock(row.number(0), Duration.ofMillis(row.number(1))))
        .get(0);
  }

  /** Makes nodes store their counts per second, for at least the next 20 seconds. */
  public void watch() {
    Sql.change(transactions.entityManager(), ThroughputSql.watch());
  }

  /** Returns the figures of each second in which something happened, if nodes have stored it. */
  public Map<Long, Figures> seconds(Selection selection) {
    return periods(Period.SECOND, selection);
  }

  /**
   * Returns the figures of each minute in which something happened; minutes are not stored by job
   * type.
   */
  public Map<Long, Figures> minutes(Selection selection) {
    return periods(Period.MINUTE, selection);
  }

  /**
   * Returns, for each queue or type that ended the most attempts, how many attempts ended in each
   * second; the others are summed up under an empty name.
   *
   * @param most the maximum number of names
   */
  public Map<String, Map<Long, Long>> secondsBy(boolean type, Selection selection, int most) {
    return breakdown(
        ThroughputSql.breakdown(type ? Grouping.SECONDS_BY_TYPE : Grouping.SECONDS_BY_QUEUE),
        selection,
        most);
  }

  /** Works like {@link #secondsBy}, for queues and minutes. */
  public Map<String, Map<Long, Long>> minutesByQueue(Selection selection, int most) {
    return breakdown(ThroughputSql.breakdown(Grouping.MINUTES_BY_QUEUE), selection, most);
  }

  private Map<String, Map<Long, Long>> breakdown(String statement, Selection selection, int most) {
    Map<String, Map<Long, Long>> ended = new HashMap<>();
    rows(
        statement,
        row ->
            ended
                .computeIfAbsent(row.text(1), any -> new HashMap<>())
                .put(row.number(0), row.number(2)),
        selection,
        most);
    return ended;
  }

  private Map<Long, Figures> periods(Period period, Selection selection) {
    return figures(
        ThroughputSql.counts(period),
        ThroughputSql.durations(period),
        row -> row.number(0),
        selection);
  }

  /** Returns the figures of each job type, from the stored seconds. */
  public Map<String, Figures> types(Selection selection) {
    return figures(
        ThroughputSql.typeCounts(), ThroughputSql.typeDurations(), row -> row.text(0), selection);
  }

  private <K> Map<K, Figures> figures(
      String counts, String durations, Function<Row, K> key, Selection selection) {
    Map<Key<K>, List<Long>> classes = new HashMap<>();
    rows(
        durations,
        row -> {
          List<Long> of =
              classes.computeIfAbsent(
                  new Key<>(key.apply(row), row.text(1)), any -> new ArrayList<>());
          while (of.size() < row.integer(2)) {
            of.add(0L);
          }
          return of.set(row.integer(2) - 1, row.number(3));
        },
        selection);
    Map<K, Counts> counted = new HashMap<>();
    rows(
        counts,
        row -> counted.put(key.apply(row), new Counts(row.number(1), row.number(2), row.number(3))),
        selection);
    // If rows were committed between the two statements, there are durations without counts.
    classes.keySet().forEach(one -> counted.putIfAbsent(one.of(), Counts.NONE));
    Map<K, Figures> figures = new HashMap<>();
    counted.forEach(
        (of, one) ->
            figures.put(
                of,
                new Figures(
                    one.enqueued(),
                    one.completed(),
                    one.failed(),
                    Times.of(classes.getOrDefault(new Key<>(of, "WAIT"), List.of())),
                    Times.of(classes.getOrDefault(new Key<>(of, "RUN"), List.of())))));
    return figures;
  }

  private <T> List<T> rows(
      String statement, Function<Row, T> reader, Selection selection, @Nullable Object... more) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(selection.after());
    parameters.add(selection.queue());
    parameters.add(selection.type());
    parameters.add(seen.names());
    parameters.add(seen.others());
    Collections.addAll(parameters, more);
    return Sql.rowsWithin(
        LONGEST_STATEMENT, transactions.entityManager(), statement, reader, parameters.toArray());
  }
}
