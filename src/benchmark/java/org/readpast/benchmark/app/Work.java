package org.readpast.benchmark.app;

import org.readpast.api.JobType;

/** Contains the payloads of jobs that do nothing, with about a hundred bytes each. */
public final class Work {
  private Work() {}

  @JobType("bench.leased")
  public record Leased(String text, long sentAt) {}

  @JobType("bench.transactional")
  public record Transactional(String text, long sentAt) {}

  @JobType("bench.together")
  public record Together(String text, long sentAt) {}

  @JobType("bench.order")
  public record Order(String text) {}
}
