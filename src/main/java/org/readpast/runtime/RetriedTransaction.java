package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.readpast.store.TransientErrors;

/**
 * Repeats short work, each time in a new transaction. Retry and transaction are on two beans because on one method all
 * tries would share the first, dead transaction.
 */
@ApplicationScoped
public class RetriedTransaction {
  @Inject NewTransaction transaction;

  /** Runs work that bears repeating; a failure at the commit is repeated too. */
  @Retry(
      maxRetries = 5,
      delay = 60,
      jitter = 50,
      delayUnit = ChronoUnit.MILLIS,
      maxDuration = 20,
      durationUnit = ChronoUnit.SECONDS,
      retryOn = TransientFailure.class)
  public <T> T call(Supplier<T> work) {
    AtomicBoolean done = new AtomicBoolean();
    try {
      return transaction.requiresNew(() -> {
        T result = work.get();
        done.set(true);
        return result;
      });
    } catch (RuntimeException e) {
      if (done.get() || TransientErrors.isTransient(e)) {
        throw new TransientFailure(e);
      }
      throw e;
    }
  }
}
