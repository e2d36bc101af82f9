package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.readpast.store.TransientErrors;

/**
 * Repeats short work, each time in a transaction of its own. Retry and transaction are on two beans
 * because on one method all tries would share the first, dead transaction.
 */
@ApplicationScoped
public class RetriedTransaction {
  /** Tries what bears repeating; a failure at the commit is repeated too. */
  // One unit for all: Payara compares the numbers without their units.
  @Retry(
      maxRetries = 5,
      delay = 60,
      jitter = 50,
      delayUnit = ChronoUnit.MILLIS,
      maxDuration = 20_000,
      durationUnit = ChronoUnit.MILLIS,
      retryOn = TransientFailure.class)
  public <T> T call(Supplier<NewTransaction.Result<T>> attempt) {
    NewTransaction.Result<T> result;
    try {
      result = attempt.get();
    } catch (RuntimeException e) {
      // The work hands over what it throws, so this is the commit, or what comes before the work.
      throw new TransientFailure(e);
    }
    if (TransientErrors.isTransient(result.thrown())) {
      throw new TransientFailure(result.thrown());
    }
    return result.get();
  }
}
