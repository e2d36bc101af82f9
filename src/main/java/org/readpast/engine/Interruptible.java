package org.readpast.engine;

import org.jspecify.annotations.Nullable;

/**
 * Provides the context of a handler that is part of Readpast itself. Handlers that wait for the
 * database need it, because a thread that waits for the database does not react to an interrupt.
 */
public interface Interruptible {
  /**
   * Sets a step that runs whenever the handler is interrupted or asked to cancel, or removes it if
   * it is null. After this method has returned, the previous step is not running and will not run
   * again.
   */
  void onInterrupt(@Nullable Runnable step);
}
