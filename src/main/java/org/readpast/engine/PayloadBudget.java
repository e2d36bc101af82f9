package org.readpast.engine;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.readpast.store.ClaimedJob;

/** Bounds the payloads that this node holds at a time. */
final class PayloadBudget {
  // What is leased by one statement is held several times while it is read: so no claim takes all.
  private static final int SHARE_OF_CLAIM = 16;

  private final long share;
  private long free;

  PayloadBudget(long bytes) {
    this.free = bytes;
    this.share = Math.max(1, bytes / SHARE_OF_CLAIM);
  }

  /**
   * Claims no more than is free, and takes what has been leased.
   *
   * @param claim is given the most bytes that it may lease, at least one: it always leases one job
   */
  <T> T claim(LongFunction<T> claim, Function<T, List<ClaimedJob>> jobs) {
    long reserved = reserve();
    long leased = 0;
    try {
      T found = claim.apply(reserved);
      leased = LeasedJobs.bytesOf(jobs.apply(found));
      return found;
    } finally {
      release(reserved - leased);
    }
  }

  private synchronized long reserve() {
    long reserved = Math.max(1, Math.min(share, free));
    free -= reserved;
    return reserved;
  }

  /** Gives back what this node no longer holds. */
  synchronized void release(long bytes) {
    free += bytes;
  }
}
