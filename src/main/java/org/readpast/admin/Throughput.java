package org.readpast.admin;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.OverviewReads.Times;
import org.readpast.admin.store.ThroughputReads;
import org.readpast.admin.store.ThroughputReads.Clock;
import org.readpast.admin.store.ThroughputReads.Figures;
import org.readpast.admin.store.ThroughputReads.Selection;
import org.readpast.database.Transactions;
import org.readpast.engine.Settings;
import org.readpast.model.QueueAccess;

/** Shows how many jobs all nodes enqueue and run, and how long jobs wait and run. */
public final class Throughput implements Scoped<Throughput> {
  private static final int MOST_TYPES = 100;
  // A chart with more areas is hard to read.
  private static final int MOST_PARTS = 8;
  // The counts of a second are reported after its end plus this time plus the interval of
  // heartbeats.
  private static final Duration REPORTING = Duration.ofSeconds(3);

  private final Transactions transactions;
  private final ThroughputReads reads;

  public Throughput(Transactions transactions) {
    this(transactions, QueueAccess.EVERYTHING);
  }

  private Throughput(Transactions transactions, QueueAccess access) {
    this.transactions = transactions;
    this.reads = new ThroughputReads(transactions, access.seen());
  }

  @Override
  public Throughput within(QueueAccess caller) {
    return new Throughput(transactions, caller);
  }

  /** Lists the time spans that charts can show. */
  public enum Span {
    /** Covers five minutes, with one value per second. */
    PT5M(1, 300),
    /** Covers one hour, with one value per minute. */
    PT1H(60, 60),
    /** Covers one day, with one value per minute. */
    P1D(60, 1_440);

    private final int step;
    private final int number;

    Span(int step, int number) {
      this.step = step;
      this.number = number;
    }

    /**
     * Returns true if the span has one value per second; only these spans count job types
     * separately.
     */
    public boolean isBySecond() {
      return step == 1;
    }
  }

  /** Holds one percentile for each period, in ms; 0 if there are no durations. */
  public record Percentiles(double[] p50, double[] p95, double[] p99) {}

  /**
   * Holds figures per second or per minute, oldest first.
   *
   * @param step the length of a period in seconds
   * @param at when each period begins, in seconds since 1970
   * @param enqueued jobs per second
   * @param completed attempts per second that succeeded
   * @param failed attempts per second that failed
   */
  public record Series(
      int step,
      long[] at,
      double[] enqueued,
      double[] completed,
      double[] failed,
      Percentiles waited,
      Percentiles ran) {}

  /** Lists the values by which a breakdown can be grouped. */
  public enum By {
    QUEUE,
    TYPE
  }

  /**
   * Holds the attempts that ended per second, for each of the busiest queues or types, oldest
   * first.
   *
   * @param step the length of a period in seconds
   * @param at when each period begins, in seconds since 1970
   * @param parts the busiest queue or type first
   */
  public record Breakdown(int step, long[] at, List<Part> parts) {}

  /**
   * Holds the figures of a queue or a type.
   *
   * @param name the queue or the type, or null for all others
   * @param ended attempts per second that succeeded or failed
   */
  public record Part(@Nullable String name, double[] ended) {}

  /** Holds the figures of a job type over the last five minutes; counts are per second. */
  public record Type(
      String type, double enqueued, double completed, double failed, Times waited, Times ran) {}

  /**
   * Returns the figures of a time span. Nodes begin to store seconds with their next heartbeat.
   *
   * @param queue the queue, or null for all visible queues
   * @param type the job type, or null for all types; only for spans with one value per second
   * @param since the time in seconds since 1970 after which periods are returned, or null for the
   *     whole span
   */
  public Series series(
      Span span, @Nullable String queue, @Nullable String type, @Nullable Long since) {
    return read(
        span,
        since,
        periods -> {
          Selection selection = new Selection(periods.after(), queue, type);
          return series(
              periods, span.isBySecond() ? reads.seconds(selection) : reads.minutes(selection));
        });
  }

  /**
   * Returns the attempts that ended in a time span, for each of the busiest queues or types.
   *
   * @param by types are allowed only for spans with one value per second
   * @param queue the queue, or null for all visible queues
   * @throws IllegalArgumentException if minutes are to be grouped by type
   */
  public Breakdown breakdown(Span span, By by, @Nullable String queue) {
    if (by == By.TYPE && !span.isBySecond()) {
      throw new IllegalArgumentException("minutes are not stored by type");
    }
    return read(
        span,
        null,
        periods -> {
          Selection selection = new Selection(periods.after(), queue, null);
          Map<String, Map<Long, Long>> ended =
              span.isBySecond()
                  ? reads.secondsBy(by == By.TYPE, selection, MOST_PARTS)
                  : reads.minutesByQueue(selection, MOST_PARTS);
          return new Breakdown(
              span.step,
              periods.at(),
              ended.entrySet().stream()
                  .sorted(
                      Comparator.comparing(
                              (Map.Entry<String, Map<Long, Long>> part) -> part.getKey().isEmpty())
                          .thenComparing(part -> -total(part.getValue()))
                          .thenComparing(Map.Entry::getKey))
                  .map(
                      part ->
                          new Part(
                              part.getKey().isEmpty() ? null : part.getKey(),
                              periods.rates(from -> part.getValue().getOrDefault(from, 0L))))
                  .toList());
        });
  }

  private static long total(Map<Long, Long> ended) {
    return ended.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Holds the periods of one response.
   *
   * @param after the time after which periods are returned
   * @param at when each period begins
   * @param now the current time; all times are in seconds since 1970
   */
  private record Periods(int step, long after, long[] at, long now) {
    /** Returns one rate per second for each period. */
    double[] rates(LongToDoubleFunction count) {
      return LongStream.of(at)
          .mapToDouble(
              from -> {
                // In a minute that has just begun, most nodes have not yet reported their counts.
                double seconds = step == 1 ? 1 : Math.min(step, Math.max(10, now - from));
                return rounded(count.applyAsDouble(from) / seconds);
              })
          .toArray();
    }
  }

  private <T> T read(Span span, @Nullable Long since, Function<Periods, T> reader) {
    if (span.isBySecond()) {
      watch();
    }
    return transactions.required(
        () -> {
          Clock clock = reads.clock();
          // The latest seconds are omitted, because nodes have not reported them yet.
          long end = clock.now() - (span.isBySecond() ? delay(clock).toSeconds() : 0);
          long last = end - Math.floorMod(end, span.step);
          long before = last - (long) span.step * span.number;
          long after = since == null ? before : Math.min(last, Math.max(before, since));
          long first = after - Math.floorMod(after, span.step) + span.step;
          long[] at =
              LongStream.iterate(first, from -> from <= last, from -> from + span.step).toArray();
          return reader.apply(new Periods(span.step, after, at, clock.now()));
        });
  }

  // Commits before the counts are read, because another caller that renews the same row waits for
  // the commit.
  private void watch() {
    transactions.requiresNew(
        () -> {
          reads.watch();
          return null;
        });
  }

  private static Duration delay(Clock clock) {
    return Settings.heartbeat(clock.longestLease()).plus(REPORTING);
  }

  private static Series series(Periods periods, Map<Long, Figures> figures) {
    Function<ToDoubleFunction<Figures>, double[]> rates =
        count ->
            periods.rates(from -> count.applyAsDouble(figures.getOrDefault(from, Figures.NONE)));
    return new Series(
        periods.step(),
        periods.at(),
        rates.apply(Figures::enqueued),
        rates.apply(Figures::completed),
        rates.apply(Figures::failed),
        percentiles(periods.at(), figures, Figures::waited),
        percentiles(periods.at(), figures, Figures::ran));
  }

  private static Percentiles percentiles(
      long[] at, Map<Long, Figures> figures, Function<Figures, Times> times) {
    Function<ToDoubleFunction<Times>, double[]> of =
        percentile ->
            LongStream.of(at)
                .mapToDouble(
                    from ->
                        rounded(
                            percentile.applyAsDouble(
                                times.apply(figures.getOrDefault(from, Figures.NONE)))))
                .toArray();
    return new Percentiles(of.apply(Times::p50), of.apply(Times::p95), of.apply(Times::p99));
  }

  // Two decimal places keep the response short, because it contains thousands of numbers.
  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  /** Returns the types with the longest handlers in the last five minutes, the slowest first. */
  public List<Type> types() {
    watch();
    return transactions.required(
        () -> {
          int seconds = Span.PT5M.number;
          long after = reads.clock().now() - seconds;
          return reads.types(new Selection(after, null, null)).entrySet().stream()
              .map(one -> type(one.getKey(), one.getValue(), seconds))
              .sorted(
                  Comparator.comparingDouble((Type type) -> type.ran().p95())
                      .reversed()
                      .thenComparing(Type::type))
              .limit(MOST_TYPES)
              .toList();
        });
  }

  private static Type type(String name, Figures of, int seconds) {
    return new Type(
        name,
        rounded((double) of.enqueued() / seconds),
        rounded((double) of.completed() / seconds),
        rounded((double) of.failed() / seconds),
        of.waited(),
        of.ran());
  }
}
