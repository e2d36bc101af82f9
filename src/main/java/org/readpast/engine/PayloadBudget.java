package org.readpast.engine;

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

  /** Reserves what a claim may lease, at least a byte: it always leases one job. */
  synchronized long reserve() {
    long reserved = Math.max(1, Math.min(share, free));
    free -= reserved;
    return reserved;
  }

  /** Gives back what a claim has reserved, and takes what it has leased. */
  synchronized void leased(long reserved, long bytes) {
    free += reserved - bytes;
  }

  /** Gives back what this node no longer holds. */
  synchronized void release(long bytes) {
    free += bytes;
  }
}
