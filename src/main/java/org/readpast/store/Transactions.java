package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.model.Encryption;

/**
 * Begins and ends transactions. This is the only port through which the engine reaches the
 * database.
 */
public interface Transactions {
  /**
   * Runs work in the caller's transaction, or in a transaction of its own if the caller has none.
   * The work is never repeated.
   *
   * @throws DatabaseUnavailableException if the database cannot be used now
   */
  <T> T required(Supplier<T> work);

  /**
   * Runs work that consists of a single statement and commits by itself. The work is never
   * repeated.
   *
   * @throws DatabaseUnavailableException if the database cannot be used now
   */
  <T> T autoCommitOnce(Supplier<T> work);

  /**
   * Runs short work in a new transaction, on connections that busy workers cannot exhaust. A
   * transaction of the caller is suspended. After a transient error, also at the commit, the work
   * is repeated in another new transaction. So it must tolerate repetition: what it writes is
   * fenced, or harmless if done twice.
   *
   * @throws DatabaseUnavailableException if every try failed
   */
  <T> T requiresNew(Supplier<T> work);

  /** Does what {@link #requiresNew} does, without the step of {@link #beginNewWith}. */
  <T> T requiresNewUnbounded(Supplier<T> work);

  /**
   * Runs a single statement that returns rows and commits by itself. This saves round trips, and
   * leaves no transaction open when a node freezes. Otherwise it behaves like {@link #requiresNew}.
   */
  <T> T autoCommit(Supplier<T> work);

  /** Makes each new transaction for short work begin with this step from now on. */
  void beginNewWith(Runnable step);

  /** Runs that step in the current transaction, which did not begin with it. */
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

  /** Rolls back a transaction that was left open on this thread. Returns true if there was one. */
  boolean rollBackLeftOpen();

  /**
   * Returns the process id of the database session that the current transaction uses, without
   * asking the database; 0 if it cannot be determined, as behind a pooler.
   */
  int backend();

  /** Returns true if there is a transaction, in any state. */
  boolean present();

  /**
   * Returns true if the current transaction can still be committed; false also if there is none.
   */
  boolean committable();

  /** Marks the current transaction for rollback. */
  void setRollbackOnly();

  /** Returns an object that identifies the current transaction, or null if there is none. */
  @Nullable Object transactionKey();

  /** Runs a step after the current transaction has committed; never if it is rolled back. */
  void afterCommit(Runnable step);

  /**
   * Runs a step after the current transaction has ended, with true if it was committed. The step
   * may run where no transaction can begin.
   */
  void afterCompletion(Consumer<Boolean> step);

  /**
   * Returns the entity manager of the current transaction, or of the statement that commits by
   * itself. Only the store may use it.
   */
  EntityManager entityManager();

  /** Returns the encryption of texts that are stored in the database. */
  Encryption encryption();
}
