package org.readpast.support;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.Persistence;
import jakarta.transaction.SystemException;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.database.Transactions;
import org.readpast.database.TransientErrors;
import org.readpast.model.Encryption;
import org.readpast.model.SchemaName;

/**
 * Runs the engine's transactions without a container. The transactions are EclipseLink's own, bound
 * to the thread.
 */
public final class LocalTransactions implements Transactions, AutoCloseable {
  private static final int TRIES = 6;

  private final EntityManagerFactory factory;
  private volatile Runnable newStep = () -> {};
  private volatile Runnable watch = () -> {};
  private volatile Runnable beforeHandlers = () -> {};
  private volatile @Nullable Runnable beforeHiddenCommit;
  private volatile Encryption encryption =
      Boolean.getBoolean("readpast.test.encrypted") ? TestKeys.encryption("test") : Encryption.NONE;
  private final ThreadLocal<Deque<Scope>> scopes = ThreadLocal.withInitial(ArrayDeque::new);

  private static final class Scope {
    final EntityManager em;
    final List<Consumer<Boolean>> completions = new ArrayList<>();

    Scope(EntityManager em) {
      this.em = em;
    }
  }

  public LocalTransactions(Database database) {
    Map<String, String> properties =
        new HashMap<>(
            Map.of(
                "jakarta.persistence.transactionType", "RESOURCE_LOCAL",
                "jakarta.persistence.jdbc.url", database.url(),
                "jakarta.persistence.jdbc.user", database.user(),
                "jakarta.persistence.jdbc.password", database.password(),
                "eclipselink.connection-pool.default.max", "40",
                "eclipselink.logging.level", "OFF",
                "eclipselink.session-name", UUID.randomUUID().toString()));
    if (database.schema() != null) {
      properties.put(SchemaName.PROPERTY, database.schema());
    }
    factory = Persistence.createEntityManagerFactory("readpast", properties);
  }

  @Override
  public <T> T required(Supplier<T> work) {
    try {
      return present() ? work.get() : inNew(work);
    } catch (RuntimeException e) {
      throw TransientErrors.forCaller(e);
    }
  }

  @Override
  public boolean present() {
    return !scopes.get().isEmpty();
  }

  @Override
  public void beginNewWith(Runnable step) {
    newStep = step;
  }

  @Override
  public void limitIdleTime() {
    newStep.run();
  }

  @Override
  public <T> T requiresNew(Supplier<T> work) {
    return requiresNewUnbounded(
        () -> {
          newStep.run();
          return work.get();
        });
  }

  @Override
  public <T> T requiresNewUnbounded(Supplier<T> work) {
    return retried(() -> inNew(work));
  }

  @Override
  public <T> T autoCommit(Supplier<T> work) {
    return retried(() -> autoCommitOnce(work));
  }

  private static <T> T retried(Supplier<T> attempt) {
    RuntimeException last = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        return attempt.get();
      } catch (RuntimeException e) {
        if (!TransientErrors.isTransient(e)) {
          throw e;
        }
        last = e;
      }
    }
    throw new DatabaseUnavailableException("tried " + TRIES + " times", last);
  }

  @Override
  public <T> T autoCommitOnce(Supplier<T> work) {
    Scope scope = new Scope(factory.createEntityManager());
    scopes.get().push(scope);
    boolean done = false;
    try {
      T result = work.get();
      done = true;
      return result;
    } finally {
      leave(scope, done);
    }
  }

  private void leave(Scope scope, boolean committed) {
    scopes.get().pop();
    try {
      if (scope.em.getTransaction().isActive()) {
        scope.em.getTransaction().rollback();
      }
      scope.em.close();
    } finally {
      // As in a container, the transaction has ended even if its connection is broken.
      scope.completions.forEach(step -> step.accept(committed));
    }
  }

  private <T> T inNew(Supplier<T> work) {
    List<T> result = new ArrayList<>();
    try {
      inTransaction(
          () -> {
            result.add(work.get());
            return true;
          },
          null);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return result.get(0);
  }

  /**
   * Runs a step before each transaction of a handler; if the step throws an exception, the
   * transaction does not begin.
   */
  public void beforeHandlers(Runnable step) {
    beforeHandlers = step;
  }

  /**
   * Hides the exception of the driver if the commit of a transaction of a handler fails, as Payara
   * does.
   *
   * @param before runs before each such commit
   */
  public void hideCommitFailures(Runnable before) {
    beforeHiddenCommit = before;
  }

  @Override
  public boolean inHandlerTransaction(Duration timeout, Callable<Boolean> work) throws Exception {
    beforeHandlers.run();
    return inTransaction(work, beforeHiddenCommit);
  }

  private boolean inTransaction(Callable<Boolean> work, @Nullable Runnable beforeHiddenCommit)
      throws Exception {
    Scope scope = new Scope(factory.createEntityManager());
    scopes.get().push(scope);
    boolean commit = false;
    boolean done = false;
    try {
      scope.em.getTransaction().begin();
      // Binds one connection to the transaction even for reads, like a transaction of a container.
      scope.em.unwrap(Connection.class);
      commit = work.call();
      if (commit) {
        commit(scope.em.getTransaction(), beforeHiddenCommit);
        done = true;
      }
    } finally {
      leave(scope, done);
    }
    return commit;
  }

  private static void commit(EntityTransaction transaction, @Nullable Runnable before)
      throws SystemException {
    if (before == null) {
      transaction.commit();
      return;
    }
    before.run();
    try {
      transaction.commit();
    } catch (RuntimeException e) {
      throw new SystemException(e.toString());
    }
  }

  @Override
  public int backend() {
    try {
      return entityManager()
          .unwrap(Connection.class)
          .unwrap(org.postgresql.PGConnection.class)
          .getBackendPID();
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean rollBackLeftOpen() {
    return false;
  }

  @Override
  public boolean committable() {
    return present() && !scopes.get().peek().em.getTransaction().getRollbackOnly();
  }

  @Override
  public void afterCommit(Runnable step) {
    afterCompletion(
        committed -> {
          if (committed) {
            step.run();
          }
        });
  }

  @Override
  public void afterCompletion(Consumer<Boolean> step) {
    scopes.get().element().completions.add(step);
  }

  /** Runs a step before each statement. */
  public void watchedBy(Runnable step) {
    watch = step;
  }

  @Override
  public EntityManager entityManager() {
    watch.run();
    return scopes.get().element().em;
  }

  @Override
  public Object transactionKey() {
    return scopes.get().peek();
  }

  @Override
  public void setRollbackOnly() {
    scopes.get().element().em.getTransaction().setRollbackOnly();
  }

  @Override
  public void close() {
    factory.close();
  }

  @Override
  public Encryption encryption() {
    return encryption;
  }

  /** Uses the given encryption from now on. */
  public void encryptWith(Encryption with) {
    encryption = with;
  }
}
