package org.readpast.benchmark;

/**
 * Measures whether two servers on one database process at least as many jobs as one server, and
 * each job once.
 */
final class TwoServers implements Measures {
  private static final String RATE = "jobs/s";

  private final Ceiling ceiling;
  private final Pair pair;
  private final Sizes sizes;

  TwoServers(Ceiling ceiling, Pair pair, Sizes sizes) {
    this.ceiling = ceiling;
    this.pair = pair;
    this.sizes = sizes;
  }

  @Override
  public void take(Results results) throws Exception {
    // Measures what twice as many connections cost the database itself, independently of Readpast.
    for (int connections : new int[] {Ceiling.CONNECTIONS, 2 * Ceiling.CONNECTIONS}) {
      results.add(
          "raw: claim 100, delete 100, on %d connections".formatted(connections),
          RATE,
          ceiling.drainLeased(sizes.of(300_000), connections));
    }
    add(results, "leased", sizes.of(300_000));
    add(results, "transactional", sizes.of(30_000));
  }

  private void add(Results results, String mode, int jobs) {
    Pair.Drained alone = pair.drain("bench." + mode, jobs, false);
    Pair.Drained together = pair.drain("bench." + mode, jobs, true);
    results.add(mode + ", one of two servers", RATE, alone.perSecond());
    results.add(mode + ", two servers", RATE, together.perSecond());
    results.add(mode + ", two servers, handled twice", "jobs", together.duplicates());
    results.add(mode + ", two servers, not handled", "jobs", together.missing());
  }

  @Override
  public void aim(Results results) {
    for (String mode : new String[] {"leased", "transactional"}) {
      // Two servers must not be slower; five percent are tolerated, because they share the
      // processors with PostgreSQL.
      results.atLeast(mode + ", two servers", mode + ", one of two servers", 0.95);
      results.atMost(mode + ", two servers, handled twice", null, 0);
      results.atMost(mode + ", two servers, not handled", null, 0);
    }
  }
}
