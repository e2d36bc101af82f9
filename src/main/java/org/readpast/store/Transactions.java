package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.model.Encryption;

/** Where transactions begin and end: the port through which everything reaches the database. */
public interface Transactions {
  /**
   * Runs work in the caller's transaction, or without one in a transaction of its own. Never
   * repeated.
   *
   * @throws DatabaseUnavailableException if the database cannot be used now
   */
  <T> T required(Supplier<T> work);

  /**
   * Runs work of a single statement that commits by itself. Never repeated.
   *
   * @throws DatabaseUnavailableException if the database cannot be used now
   */
  <T> T autoCommitOnce(Supplier<T> work);

  /**
   * Runs short work in a new transaction, on connections that workers cannot starve; a transaction
   * of the caller is suspended. On transient errors (also at the commit) it is repeated in another
   * new transaction, so the work must bear that: what it writes is fenced, or harmless when done
   * twice.
   *
   * @throws DatabaseUnavailableException when every try failed
   */
  <T> T requiresNew(Supplier<T> work);

  /** Does what {@link #requiresNew} does, without the step of {@link #beginNewWith}. */
  <T> T requiresNewUnbounded(Supplier<T> work);

  /**
   * Runs a single statement that gives rows and commits by itself: that spares round trips, and
   * leaves nothing open when a node freezes. Otherwise as {@link #requiresNew}.
   */
  <T> T autoCommit(Supplier<T> work);

  /** From now on each new transaction for short work begins with this step. */
  void beginNewWith(Runnable step);

  /** Does that step in the current transaction, which nobody has begun with it. */
  void boundIdleTime();

  /**
   * Runs the work of a handler in a new transaction. Never repeated.
   *
   * @param timeout after which the container marks the transaction for rollback
   * @param work gives true to commit, false to roll back
   * @return whether it was committed
   * @throws Exception what the work threw, after the rollback, or why the commit failed
   */
  boolean inHandlerTransaction(Duration timeout, Callable<Boolean> work) throws Exception;

  /** Rolls back a transaction that this thread was left with; whether there was one. */
  boolean rollBackLeftOpen();

  /**
   * The process id of the database session that the current transaction uses, found without asking
   * the database; 0 where that cannot be done, as behind a pooler.
   */
  int backend();

  /** Whether there is a transaction, in whatever state. */
  boolean present();

  /** Whether the current transaction can still be committed; false also when there is none. */
  boolean committable();

  /** Marks the current transaction for rollback. */
  void setRollbackOnly();

  /** Identifies the current transaction; null without one. */
  @Nullable Object key();

  /** Runs a step once the current transaction has committed, never if it is rolled back. */
  void afterCommit(Runnable step);

  /**
   * Runs a step once the current transaction has ended, with true if it was committed. It may run
   * where no transaction can begin.
   */
  void afterCompletion(Consumer<Boolean> step);

  /**
   * The entity manager of the current transaction, or of the statement that commits by itself; to
   * be used by the store only.
   */
  EntityManager entityManager();

  /** How texts are encrypted that are stored in the database. */
  Encryption encryption();
}
