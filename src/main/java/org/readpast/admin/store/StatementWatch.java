package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;

/**
 * Receives an action that cancels the running statement, so that its caller need not wait for it.
 */
@FunctionalInterface
public interface StatementWatch {
  /** Ignores the action. */
  StatementWatch NONE = cancel -> {};

  /** Sets the action that cancels what runs from now on; null: the statement has ended. */
  void running(@Nullable Runnable cancel);
}
