package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.readpast.database.TransientErrors;

/**
 * Retries short work, each time in a new transaction. Retry and transaction are on two beans,
 * because on one method all attempts would share the first transaction, which has already failed.
 */
@ApplicationScoped
public class RetriedTransaction {
  /**
   * Runs an attempt and repeats it after a transient failure; a failure of the commit is retried,
   * too.
   */
  // Both durations are in milliseconds, because Payara compares the numbers and ignores the units.
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
      // Exceptions of the work are part of the result, so this exception was thrown by the commit,
      // or before the work started.
      throw new TransientFailure(e);
    }
    if (TransientErrors.isTransient(result.thrown())) {
      throw new TransientFailure(result.thrown());
    }
    return result.get();
  }
}
