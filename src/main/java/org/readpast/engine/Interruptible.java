package org.readpast.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a handler of Readpast's own can ask of its context: a thread that waits for the database
 * does not feel an interrupt.
 */
public interface Interruptible {
  /**
   * From now on whatever interrupts the handler, or asks it to cancel, also does this; null: no
   * longer. When this returns, a step given before is over and is not begun again.
   */
  void onInterrupt(@Nullable Runnable step);
}
