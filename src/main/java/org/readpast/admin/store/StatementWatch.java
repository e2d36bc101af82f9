package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;

/**
 * Receives an action that cancels the running statement, so that its caller need not wait for it.
 */
@FunctionalInterface
public interface StatementWatch {
  /** Ignores the action that cancels the statement. */
  StatementWatch NONE = cancel -> {};

  /** Sets the action that cancels the running statement, or null after the statement has ended. */
  void running(@Nullable Runnable cancel);
}
