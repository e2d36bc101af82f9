package org.readpast.database;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.model.Encryption;

/** Begins and ends transactions. The engine accesses the database only through this interface. */
public interface Transactions {
  /**
   * Runs work in the caller's transaction, or in a separate transaction if the caller has none. The
   * work is never repeated.
   *
   * @throws DatabaseUnavailableException if the database is unavailable
   */
  <T> T required(Supplier<T> work);

  /**
   * Runs work that consists of a single statement and commits by itself. The work is never
   * repeated.
   *
   * @throws DatabaseUnavailableException if the database is unavailable
   */
  <T> T autoCommitOnce(Supplier<T> work);

  /**
   * Runs short work in a new transaction, on connections that busy workers cannot exhaust. A
   * transaction of the caller is suspended. After a transient error, even of the commit, the work
   * is repeated in another new transaction. The work must therefore tolerate repetition: what it
   * writes is fenced, or has the same effect if it is written twice.
   *
   * @throws DatabaseUnavailableException if every attempt failed
   */
  <T> T requiresNew(Supplier<T> work);

  /** Runs work like {@link #requiresNew}, but without the step of {@link #beginNewWith}. */
  <T> T requiresNewUnbounded(Supplier<T> work);

  /**
   * Executes a single statement that returns rows and commits by itself. Committing by itself saves
   * round trips, and leaves no transaction open if the node freezes. In all other respects, the
   * method behaves like {@link #requiresNew}.
   */
  <T> T autoCommit(Supplier<T> work);

  /** Makes each following transaction for short work begin with the given step. */
  void beginNewWith(Runnable step);

  /**
   * Runs the step of {@link #beginNewWith} in the current transaction, which did not begin with it.
   */
  void limitIdleTime();

  /**
   * Runs the work of a handler in a new transaction. The work is never repeated.
   *
   * @param timeout the time after which the container marks the transaction for rollback
   * @param work returns true to commit, false to roll back
   * @return true if the transaction was committed
   * @throws Exception the exception that the work threw, after the rollback, or the reason why the
   *     commit failed
   */
  boolean inHandlerTransaction(Duration timeout, Callable<Boolean> work) throws Exception;

  /**
   * Rolls back a transaction that was left open on this thread. Returns true if a transaction was
   * active.
   */
  boolean rollBackLeftOpen();

  /**
   * Returns the process id of the current transaction's database session without a round trip; 0 if
   * it cannot be determined, such as behind a pooler.
   */
  int backend();

  /** Returns true if there is a transaction, in any state. */
  boolean present();

  /**
   * Returns true if the current transaction can still be committed; returns false if there is none.
   */
  boolean committable();

  /** Marks the current transaction for rollback. */
  void setRollbackOnly();

  /** Returns an object that identifies the current transaction, or null if there is none. */
  @Nullable Object transactionKey();

  /** Runs a step after the current transaction has committed, but not if it is rolled back. */
  void afterCommit(Runnable step);

  /**
   * Runs a step after the current transaction has ended; the step receives true if it was
   * committed. The step may run where no transaction can begin.
   */
  void afterCompletion(Consumer<Boolean> step);

  /**
   * Returns the entity manager of the current transaction, or of the statement that commits by
   * itself. Only stores may use the entity manager.
   */
  EntityManager entityManager();

  /** Returns the encryption of values that are stored in the database. */
  Encryption encryption();
}
