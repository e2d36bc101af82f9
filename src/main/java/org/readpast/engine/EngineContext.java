package org.readpast.engine;

import java.util.Collection;
import java.util.function.Consumer;
import org.readpast.store.Claims;
import org.readpast.store.Endings;
import org.readpast.store.Transactions;

/**
 * The objects that all receivers of a node share.
 *
 * @param ended receives the ids of jobs whose end has been committed
 */
record EngineContext(
    Settings settings,
    Transactions transactions,
    Claims claims,
    Endings endings,
    Enqueuer enqueuer,
    Handlings handlings,
    NodeState node,
    ActiveJobs activeJobs,
    PayloadBudget budget,
    TypeSpeeds speeds,
    TypeLimits typeLimits,
    CrashIsolation isolation,
    BackendSessions sessions,
    FailureRecorder recorder,
    Counters counters,
    AttemptFactory attempts,
    Acknowledgements acknowledgements,
    Consumer<Collection<Long>> ended) {}
