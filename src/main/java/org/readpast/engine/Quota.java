package org.readpast.engine;

import org.jspecify.annotations.Nullable;

/**
 * How many jobs of one queue this node may have in work when the queue has a limit over all nodes:
 * its permits. Guarded by the {@link Line} that it belongs to.
 */
final class Quota {
  private volatile @Nullable Integer limit;
  private volatile int allowed;
  private boolean refused;
  private boolean asked;
  private boolean idle;
  private boolean strict;

  /** Null: no limit. True when more may be done than before. */
  boolean limit(@Nullable Integer value) {
    boolean lifted = limit != null && value == null;
    if (limit == null && value != null) {
      // What is in work already goes on; nothing more starts before the first share is known.
      allowed = 0;
      refused = true;
      idle = false;
    }
    limit = value;
    return lifted;
  }

  @Nullable Integer limit() {
    return limit;
  }

  boolean limited() {
    return limit != null;
  }

  @Nullable Integer permits() {
    return limited() ? allowed : null;
  }

  /** Whether one more may be in work besides these; a refusal is remembered. */
  boolean admits(int inUse) {
    if (!limited() || inUse < allowed) {
      return true;
    }
    refused = true;
    idle = false;
    return false;
  }

  /** Whether fewer may be in work than these. */
  boolean exceededBy(int inUse) {
    return limited() && inUse > allowed;
  }

  /** True once after a refusal, until the next renewal: then more is to be asked for at once. */
  boolean mayAsk() {
    if (!limited() || !refused || asked) {
      return false;
    }
    asked = true;
    return true;
  }

  /** Whether there is nothing to say to the other nodes. */
  boolean atRest(int inUse) {
    return !limited() || (idle && !refused && inUse == 0);
  }

  /** How many could be in work; forgets the refusal that this is judged by. */
  int demand(int inUse, int most) {
    int wanted = refused ? Math.max(inUse, most) : inUse;
    refused = false;
    return wanted;
  }

  /** From now on at most so many. */
  void lower(int most) {
    allowed = Math.min(allowed, most);
  }

  /** The share that was committed of what was wanted. */
  void grant(int most, int wanted, int inUse) {
    allowed = Math.max(0, most);
    idle = wanted == 0 && allowed == 0;
    // With none left nobody can look whether there still is something to do.
    refused |= wanted > inUse && allowed <= inUse;
  }

  /** It could not be said what was wanted: the next time it is. */
  void putOff(int wanted, int inUse) {
    refused |= wanted > inUse;
    idle = false;
  }

  /** Whether something may be RUNNING for the others that nobody works on here any more. */
  boolean strict() {
    return strict;
  }

  /** All that is RUNNING is in work. */
  void accountedFor() {
    strict = false;
  }

  /** At the next heartbeat it may ask at once again. */
  void beat() {
    asked = false;
  }

  /** Something went wrong: nothing more starts before the next renewal has counted anew. */
  void rest() {
    strict = true;
    allowed = 0;
    refused = true;
    idle = false;
    asked = true;
  }
}
