package org.readpast.engine;

import org.jspecify.annotations.Nullable;

/** Where a receiver claims jobs: the lanes of its queue, an open wave, or the groups it works. */
interface ClaimSource {
  /**
   * Leases jobs, as many as this node is likely to start soon.
   *
   * @param more called when there may be jobs for another receiver
   * @return null: none were found
   */
  @Nullable LeasedJobs claim(Runnable more) throws InterruptedException;
}
