package org.readpast.admin;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.readpast.engine.Signals;
import org.readpast.model.Transition;
import org.readpast.store.JobAdmin;
import org.readpast.store.JobReads;
import org.readpast.store.JobView;
import org.readpast.store.Transactions;

/** Cancels and resets single jobs. */
public final class JobControl {
  private final Transactions transactions;
  private final Signals signals;
  private final JobAdmin jobs;
  private final JobReads reads;

  public JobControl(Transactions transactions, Signals signals) {
    this.transactions = transactions;
    this.signals = signals;
    this.jobs = new JobAdmin(transactions);
    this.reads = new JobReads(transactions);
  }

  /**
   * Cancels a job that waits; asks one that is in work to end.
   *
   * @return whether it has ended; false: it was asked to, or waits for others and will end just
   *     after the commit
   * @throws NotFoundException if there is none
   * @throws StateConflictException if it has ended already
   */
  public boolean cancel(long id) {
    return transactions.joined(
        () ->
            switch (jobs.cancel(id)) {
              case ENDED -> {
                transactions.afterCommit(signals::orderChanged);
                yield true;
              }
              case ASKED -> {
                transactions.afterCommit(signals::orderChanged);
                yield false;
              }
              case NOT_LIVE ->
                  throw StateConflictException.of(
                      Transition.CANCEL, "cancelled", id, existing(id).state());
            });
  }

  /**
   * Makes an ended job AVAILABLE again, with its full number of attempts.
   *
   * @throws NotFoundException if there is none
   * @param force also if jobs have started that would have waited for it
   * @throws StateConflictException if it is live or COMPLETED, if a live job holds its unique key,
   *     or if jobs have started that would have waited for it
   */
  public void reset(long id, boolean force) {
    transactions.joined(
        () -> {
          List<JobAdmin.Reset> reset = jobs.reset(List.of(id), force);
          if (reset.isEmpty()) {
            throw refusal(existing(id));
          }
          String queue = reset.get(0).queue();
          transactions.afterCommit(() -> available(List.of(queue)));
          return queue;
        });
  }

  /**
   * Resets those of the jobs that can be.
   *
   * @return how many were reset
   */
  public int resetAll(List<Long> ids) {
    return transactions.joined(
        () -> {
          List<JobAdmin.Reset> reset = jobs.reset(ids, false);
          var queues = reset.stream().map(JobAdmin.Reset::queue).collect(Collectors.toSet());
          if (!queues.isEmpty()) {
            transactions.afterCommit(() -> available(queues));
          }
          return reset.size();
        });
  }

  private void available(Collection<String> queues) {
    signals.jobsAvailable(queues);
    signals.orderChanged();
  }

  private JobView existing(long id) {
    JobView job = reads.find(id);
    if (job == null) {
      throw NotFoundException.job(id);
    }
    return job;
  }

  private StateConflictException refusal(JobView job) {
    if (Transition.RESET.allowedFrom(job.state()) && jobs.overtaken(job.id())) {
      return StateConflictException.overtaken(job.id());
    }
    String key = job.uniqueKey();
    Long holder = key == null ? null : jobs.holderOf(key);
    return key == null || holder == null || !Transition.RESET.allowedFrom(job.state())
        ? StateConflictException.of(Transition.RESET, "reset", job.id(), job.state())
        : StateConflictException.keyHeld(job.id(), key, holder);
  }
}
