package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;

/** Is told how to end a statement that runs now, so that it need not be waited for. */
@FunctionalInterface
public interface StatementWatch {
  /** Nobody wants to end it. */
  StatementWatch NONE = cancel -> {};

  /** The step ends what runs from now on; null: it has ended. */
  void running(@Nullable Runnable cancel);
}
