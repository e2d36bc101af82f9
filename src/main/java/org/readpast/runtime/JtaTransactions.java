package org.readpast.runtime;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.database.Transactions;
import org.readpast.database.TransientErrors;
import org.readpast.model.Encryption;
import org.readpast.model.SchemaName;

/**
 * Runs work in transactions of the container. Each transaction has one entity manager, for the data
 * source that its kind of work uses.
 */
@ApplicationScoped
public class JtaTransactions implements Transactions {
  private static final Logger LOG = System.getLogger(JtaTransactions.class.getName());
  private static final String KEY = JtaTransactions.class.getName();

  @Inject RetriedTransaction retried;
  @Inject NewTransaction transaction;
  @Inject UserTransaction userTransaction;
  @Inject Configuration configuration;

  @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
  TransactionSynchronizationRegistry registry;

  private final ThreadLocal<Alone> alone = new ThreadLocal<>();
  private volatile Runnable newStep = () -> {};
  private volatile Encryption encryption = Encryption.NONE;
  private JpaSource business;
  private JpaSource system;
  private final DatabaseSessions sessions = new DatabaseSessions();

  /** Holds the state of a thread on which each statement commits by itself. */
  private record Alone(EntityManager em, List<Consumer<Boolean>> afterwards) {}

  @PostConstruct
  void open() {
    SchemaName schema = configuration.schemaName();
    business = new JpaSource(configuration.dataSource(), schema, this::present);
    String name = configuration.systemDataSource();
    system = name.equals(business.name()) ? business : new JpaSource(name, schema, this::present);
  }

  @Override
  public <T> T required(Supplier<T> work) {
    return answered(() -> present() ? inCallers(work) : inOwn(work));
  }

  private <T> T inOwn(Supplier<T> work) {
    return transaction
        .required(
            () -> {
              newStep.run();
              return work.get();
            })
        .get();
  }

  @Override
  public <T> T autoCommitOnce(Supplier<T> work) {
    return answered(() -> transaction.notSupported(() -> alone(business, work)).get());
  }

  private static <T> T answered(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      throw TransientErrors.forCaller(e);
    }
  }

  private <T> T alone(JpaSource source, Supplier<T> work) {
    Alone here = new Alone(source.entityManager(), new ArrayList<>());
    boolean committed = false;
    alone.set(here);
    try {
      T result = work.get();
      committed = true;
      return result;
    } finally {
      alone.remove();
      here.em().close();
      for (Consumer<Boolean> step : here.afterwards()) {
        run(step, committed);
      }
    }
  }

  /**
   * Calls a step after the end of the current transaction. An exception of the step does not change
   * the outcome of the transaction.
   */
  private static void run(Consumer<Boolean> step, boolean committed) {
    try {
      step.accept(committed);
    } catch (RuntimeException e) {
      LOG.log(
          Level.ERROR,
          "READPAST-0082 a step that follows the end of a transaction failed, such as"
              + " notifying other nodes; the outcome of the transaction stands. Report a"
              + " bug with this stack trace",
          e);
    }
  }

  private <T> T inCallers(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      registry.setRollbackOnly();
      SeveralDataSources.explain(e, business.name());
      throw e;
    }
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
    return retried(() -> begun(work));
  }

  @Override
  public <T> T autoCommit(Supplier<T> work) {
    return retried(() -> transaction.notSupported(() -> alone(system, work)));
  }

  private <T> NewTransaction.Result<T> begun(Supplier<T> work) {
    return transaction.requiresNew(
        () -> {
          bind(system);
          return work.get();
        });
  }

  private <T> T retried(Supplier<NewTransaction.Result<T>> attempt) {
    try {
      return retried.call(attempt);
    } catch (TransientFailure e) {
      throw new DatabaseUnavailableException(
          "the database is unavailable, or ended each of several transactions because of a"
              + " conflict; try again later",
          e);
    }
  }

  @Override
  public boolean inHandlerTransaction(Duration timeout, Callable<Boolean> work) throws Exception {
    begin(timeout);
    boolean commit = false;
    try {
      commit = work.call();
    } finally {
      if (!commit) {
        userTransaction.rollback();
      }
    }
    if (commit) {
      try {
        userTransaction.commit();
      } catch (RollbackException e) {
        throw SeveralDataSources.atCommit(e, this);
      }
    }
    return commit;
  }

  private void begin(Duration timeout) throws Exception {
    userTransaction.setTransactionTimeout(
        (int) Math.min(Integer.MAX_VALUE, timeout.toSeconds() + 1));
    try {
      userTransaction.begin();
    } catch (RejectedExecutionException e) {
      // While Payara stops, long before it stops its applications, it refuses to begin a
      // transaction that has its own timeout. In this case, the transaction is begun without a
      // timeout, and the watchdog ends work that takes too long.
      userTransaction.setTransactionTimeout(0);
      userTransaction.begin();
    } finally {
      // The timeout is reset, so that it does not apply to other transactions of this thread.
      userTransaction.setTransactionTimeout(0);
    }
  }

  @Override
  public int backend() {
    return sessions.backend(entityManager());
  }

  @Override
  public boolean rollBackLeftOpen() {
    try {
      // This check is made after each leased job, so it uses the registry, which is faster than the
      // injected UserTransaction.
      if (!present()) {
        return false;
      }
      userTransaction.rollback();
      return true;
    } catch (SystemException e) {
      throw new IllegalStateException(
          "the transaction that the handler left open cannot be rolled back", e);
    }
  }

  @Override
  public boolean present() {
    return registry.getTransactionStatus() != Status.STATUS_NO_TRANSACTION;
  }

  @Override
  public boolean committable() {
    return registry.getTransactionStatus() == Status.STATUS_ACTIVE;
  }

  @Override
  public void setRollbackOnly() {
    registry.setRollbackOnly();
  }

  @Override
  public @Nullable Object transactionKey() {
    return registry.getTransactionKey();
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
  public EntityManager entityManager() {
    Alone here = alone.get();
    if (here != null) {
      return here.em();
    }
    Object bound = registry.getResource(KEY);
    return bound instanceof EntityManager em ? em : bind(business);
  }

  private EntityManager bind(JpaSource source) {
    EntityManager em = source.entityManager();
    em.joinTransaction();
    registry.putResource(KEY, em);
    afterCompletion(committed -> em.close());
    return em;
  }

  @Override
  public void afterCompletion(Consumer<Boolean> step) {
    Alone here = alone.get();
    if (here != null) {
      here.afterwards().add(step);
      return;
    }
    registry.registerInterposedSynchronization(
        new Synchronization() {
          @Override
          public void beforeCompletion() {}

          @Override
          public void afterCompletion(int status) {
            step.accept(status == Status.STATUS_COMMITTED);
          }
        });
  }

  @PreDestroy
  void close() {
    business.close();
    system.close();
  }

  @Override
  public Encryption encryption() {
    return encryption;
  }

  /** Uses this encryption for values that are stored from now on. */
  void encryptWith(Encryption with) {
    encryption = with;
  }
}
