package org.readpast.benchmark;

/** Measures the cost of a job in the database: round trips, commits and write-ahead log. */
final class Cost implements Measures {
  private static final String RAW = "raw: claim 100, delete 100, WAL per job";

  private final Ceiling ceiling;
  private final Readpast readpast;
  private final Meter rawMeter;
  private final Meter meter;
  private final int leased;
  private final int transactional;

  Cost(Ceiling ceiling, Readpast readpast, Meter rawMeter, Meter meter, Sizes sizes) {
    this.ceiling = ceiling;
    this.readpast = readpast;
    this.rawMeter = rawMeter;
    this.meter = meter;
    // There are so many jobs that the server's other commits, about ten a second, are negligible.
    leased = Math.max(50_000, sizes.of(200_000));
    transactional = Math.max(10_000, sizes.of(20_000));
  }

  @Override
  public void take(Results results) throws Exception {
    ceiling.fill(leased);
    Meter.Reading raw = rawMeter.during(() -> ceiling.drainFilled(leased)).by(leased);
    results.add(RAW, "B", raw.walBytes());
    // The meter has also waited until PostgreSQL had counted the commits of earlier measurements.
    add(results, "leased", leased);
    add(results, "transactional", transactional);
  }

  private void add(Results results, String mode, int jobs) throws Exception {
    readpast.pause(Readpast.QUEUE, true);
    readpast.table().prefill(Readpast.QUEUE, "bench." + mode, jobs);
    Meter.Reading cost = meter.during(() -> readpast.drainPaused(Readpast.QUEUE, jobs)).by(jobs);
    results.add(mode + ", statements per job", "", cost.statements());
    results.add(mode + ", commits per job", "", cost.commits());
    results.add(mode + ", WAL per job", "B", cost.walBytes());
  }

  @Override
  public void aim(Results results) {
    results.atMost("leased, statements per job", null, 0.05);
    results.atMost("leased, commits per job", null, 0.03);
    results.atMost("leased, WAL per job", RAW, 1.2);
    results.atMost("transactional, statements per job", null, 3);
    results.atMost("transactional, commits per job", null, 1.05);
  }
}
