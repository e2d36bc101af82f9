package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.function.Supplier;

/** Runs work between the container's begin and commit. */
@ApplicationScoped
public class NewTransaction {
  /** In a transaction of its own; the caller's is suspended. */
  @Transactional(Transactional.TxType.REQUIRES_NEW)
  public <T> T requiresNew(Supplier<T> work) {
    return work.get();
  }

  /** In the caller's transaction, else in one of its own. */
  @Transactional(Transactional.TxType.REQUIRED)
  public <T> T required(Supplier<T> work) {
    return work.get();
  }
}
