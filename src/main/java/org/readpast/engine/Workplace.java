package org.readpast.engine;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.readpast.store.Claims;
import org.readpast.store.Endings;
import org.readpast.store.Transactions;

/**
 * What all receivers of a node share.
 *
 * @param ended hears of jobs whose end has been committed
 */
record Workplace(
    Settings settings,
    Transactions transactions,
    Claims claims,
    Endings endings,
    Enqueuer enqueuer,
    Handlings handlings,
    NodeState node,
    InWork inWork,
    Turns turns,
    Recorder recorder,
    Counters counters,
    Attempts attempts,
    Acknowledgements acknowledgements,
    Consumer<Collection<Long>> ended) {

  /**
   * Jobs that are not to be taken now: with a failure that is not recorded yet, or in TRANSACTIONAL
   * work here. PostgreSQL frees the row of such a one as soon as a statement of its handler fails,
   * long before the handler ends.
   */
  Set<Long> notNow() {
    Set<Long> jobs = new HashSet<>(recorder.unrecorded());
    for (Attempt attempt : inWork.attempts()) {
      if (attempt.workedTransactionally() && !attempt.abandoned()) {
        jobs.add(attempt.id());
      }
    }
    return jobs;
  }
}
