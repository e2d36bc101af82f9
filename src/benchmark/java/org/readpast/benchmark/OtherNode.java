package org.readpast.benchmark;

/** Measures the delay after which a job starts that was enqueued on another server. */
final class OtherNode implements Measures {
  private static final String RAW = "raw: NOTIFY round trip, while two servers run";
  private static final String OWN = "enqueue to start on another server";

  private final Ceiling ceiling;
  private final Pair pair;

  OtherNode(Ceiling ceiling, Pair pair) {
    this.ceiling = ceiling;
    this.pair = pair;
  }

  @Override
  public void take(Results results) throws Exception {
    results.addLatency(RAW, ceiling.notifyRoundTrip(50, 6));
    results.addLatency(OWN, pair.latency("bench.transactional", 50, 6));
    results.addLatency(OWN + ", leased", pair.latency("bench.leased", 50, 6));
  }

  @Override
  public void aim(Results results) {
    results.atMost(OWN + ", p50", RAW + ", p50", 2.5);
    results.atMost(OWN + ", p99", null, 10);
  }
}
