package org.readpast.runtime;

import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work between the container's begin and commit.
 *
 * <p>This class is an EJB. Reason: on a thread that an EJB has started, Payara begins a transaction
 * for CDI's {@code @Transactional} that no connection joins, so every statement would silently
 * commit by itself.
 */
@Stateless
public class NewTransaction {
  @Resource SessionContext context;

  /**
   * Holds the result of work, or the exception that it threw after the transaction was marked for
   * rollback.
   */
  public record Result<T>(@Nullable T value, @Nullable Throwable thrown) {
    /** Returns the result of the work, or throws the exception that the work threw. */
    @SuppressWarnings("NullAway") // The work may return null.
    T get() {
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown != null) {
        throw (RuntimeException) thrown;
      }
      return value;
    }
  }

  /** Runs work in a new transaction, and suspends the caller's transaction. */
  @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
  public <T> Result<T> requiresNew(Supplier<T> work) {
    return run(work);
  }

  /** Runs work in the caller's transaction, or in a new one if there is none. */
  @TransactionAttribute(TransactionAttributeType.REQUIRED)
  public <T> Result<T> required(Supplier<T> work) {
    return run(work);
  }

  /** Runs work without a transaction, on a connection whose mode the caller cannot have changed. */
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  public <T> Result<T> notSupported(Supplier<T> work) {
    return run(work, () -> {});
  }

  private <T> Result<T> run(Supplier<T> work) {
    return run(work, context::setRollbackOnly);
  }

  /**
   * Runs work and returns its exception instead of throwing it, because the container would wrap a
   * thrown exception and log it.
   */
  private static <T> Result<T> run(Supplier<T> work, Runnable failed) {
    try {
      return new Result<>(work.get(), null);
    } catch (RuntimeException | Error e) {
      failed.run();
      return new Result<>(null, e);
    }
  }
}
