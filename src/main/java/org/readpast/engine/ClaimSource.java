package org.readpast.engine;

import org.jspecify.annotations.Nullable;

/** Represents a source of claims: lanes of a queue, an open wave, or the next jobs of groups. */
interface ClaimSource {
  /**
   * Leases as many jobs as this node is likely to start soon.
   *
   * @param more called if there may be jobs for another receiver; it must not throw exceptions,
   *     because leased jobs might then be left without a receiver
   * @return null if no jobs were found
   */
  @Nullable ClaimedJobs claim(Runnable more) throws InterruptedException;
}
