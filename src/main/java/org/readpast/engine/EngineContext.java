package org.readpast.engine;

import java.util.Collection;
import java.util.function.Consumer;
import org.readpast.database.Transactions;
import org.readpast.store.Claims;
import org.readpast.store.JobEndStore;
import org.readpast.store.ReleaseStore;

/**
 * Holds the objects that all receivers of a node share.
 *
 * @param jobsEnded receives the ids of jobs whose end has been committed
 */
record EngineContext(
    Settings settings,
    Transactions transactions,
    Claims claims,
    JobEndStore jobEnds,
    ReleaseStore releases,
    Enqueuer enqueuer,
    HandlerRegistry handlers,
    NodeState node,
    ActiveJobs activeJobs,
    PayloadBudget budget,
    TypeSpeeds speeds,
    TypeLimits typeLimits,
    CrashIsolation isolation,
    BackendSessions sessions,
    OutcomeRecorder recorder,
    Counters counters,
    AttemptFactory attempts,
    Acknowledgements acknowledgements,
    Consumer<Collection<Long>> jobsEnded) {

  /** Returns true if the database is unavailable, or was unavailable after the given time. */
  boolean databaseUnavailable(long since) {
    if (node.outage().unavailableAfter(since)) {
      return true;
    }
    try {
      transactions.autoCommit(claims::backend);
      return false;
    } catch (RuntimeException e) {
      return node.outage().record(e);
    }
  }
}
