package org.readpast.engine;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.readpast.store.ClaimedJob;

/** Limits the total size of the payloads and properties that this node holds in memory. */
final class PayloadBudget {
  // While the payloads of a claim are read, memory holds several copies of them, so no claim may
  // use the whole budget.
  private static final int SHARE_OF_CLAIM = 16;

  private final long share;
  private long free;

  PayloadBudget(long bytes) {
    this.free = bytes;
    this.share = Math.max(1, bytes / SHARE_OF_CLAIM);
  }

  /**
   * Runs a claim for at most as many bytes as are free, and reserves the bytes of the leased jobs.
   *
   * @param claim receives the maximum number of bytes to lease, which is at least one, because a
   *     claim always leases one job
   */
  <T> T claim(LongFunction<T> claim, Function<T, List<ClaimedJob>> jobs) {
    long reserved = reserve();
    long leased = 0;
    try {
      T found = claim.apply(reserved);
      leased = jobs.apply(found).stream().mapToLong(ClaimedJob::bytes).sum();
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

  /** Returns bytes to the budget after this node has released the payloads. */
  synchronized void release(long bytes) {
    free += bytes;
  }
}
