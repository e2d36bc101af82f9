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
 * <p>An EJB, because on a thread that an EJB has started Payara begins a transaction for CDI's
 * {@code @Transactional} that no connection joins: every statement would commit by itself, in
 * silence.
 */
@Stateless
public class NewTransaction {
  @Resource SessionContext context;

  /**
   * What work has come to: a result, or what it threw after marking the transaction for rollback.
   */
  public record Result<T>(@Nullable T value, @Nullable Throwable thrown) {
    /** What the work gave, or throws what it threw. */
    @SuppressWarnings("NullAway") // A null is what the work itself gave.
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

  /** In a transaction of its own; the caller's is suspended. */
  @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
  public <T> Result<T> requiresNew(Supplier<T> work) {
    return run(work);
  }

  /** In the caller's transaction, else in one of its own. */
  @TransactionAttribute(TransactionAttributeType.REQUIRED)
  public <T> Result<T> required(Supplier<T> work) {
    return run(work);
  }

  /**
   * Without a transaction, and on no connection that the caller may have switched to another mode.
   */
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  public <T> Result<T> notSupported(Supplier<T> work) {
    return run(work, () -> {});
  }

  private <T> Result<T> run(Supplier<T> work) {
    return run(work, context::setRollbackOnly);
  }

  /**
   * An exception is handed over, not thrown: thrown, the container would wrap it, and log it as its
   * own.
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
