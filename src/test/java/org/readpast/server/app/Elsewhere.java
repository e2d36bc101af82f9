package org.readpast.server.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs work on other threads of the application, in separate transactions. */
@ApplicationScoped
public class Elsewhere {
  @Resource(lookup = "java:comp/DefaultManagedExecutorService")
  ManagedExecutorService executor;

  @Inject UserTransaction transaction;

  /** Returns what is visible outside the caller's transaction. */
  public <T> T seen(Callable<T> question) throws Exception {
    return without(question).get(30, TimeUnit.SECONDS);
  }

  /** Starts work without a transaction on another thread. */
  public <T> Future<T> without(Callable<T> work) {
    return executor.submit(work);
  }

  /** Starts work in a transaction on another thread, and commits it. */
  public <T> Future<T> transaction(Callable<T> work) {
    return executor.submit(
        () -> {
          transaction.begin();
          try {
            T result = work.call();
            transaction.commit();
            return result;
          } catch (Exception e) {
            transaction.rollback();
            throw e;
          }
        });
  }
}
