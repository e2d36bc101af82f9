package org.readpast.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.readpast.admin.store.JobAdmin;
import org.readpast.api.JobState;
import org.readpast.database.Transactions;
import org.readpast.engine.Signals;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;

/**
 * Empties a queue: cancels its waiting jobs, in steps that are separate transactions. Jobs that
 * were purged by mistake can be reset.
 */
public final class Purge implements Scoped<Purge> {
  private static final int AT_ONCE = 500;

  private final Transactions transactions;
  private final Signals signals;
  private final Audit audit;
  private final JobAdmin jobs;

  private final QueueAccess access;

  public Purge(Transactions transactions, Signals signals, Audit audit) {
    this(transactions, signals, audit, QueueAccess.EVERYTHING);
  }

  private Purge(Transactions transactions, Signals signals, Audit audit, QueueAccess access) {
    this.access = access;
    this.transactions = transactions;
    this.signals = signals;
    this.audit = audit;
    this.jobs = new JobAdmin(transactions, signals);
  }

  @Override
  public Purge within(QueueAccess caller) {
    return new Purge(transactions, signals, audit, caller);
  }

  private record Step(List<Long> ids, Map<String, Integer> ended) {}

  /**
   * Cancels the jobs of the queue that are waiting now. Running jobs, and jobs that are enqueued in
   * the meantime, are not cancelled.
   *
   * @return the number of cancelled jobs
   */
  public int purge(String queue) {
    AccessDeniedException.require(access, Role.ADMIN, queue);
    long highest = transactions.requiresNew(() -> jobs.highestId(queue));
    Audit.Ongoing purging = audit.begin("queue.purge", queue, List.of(queue));
    long above = 0;
    Map<String, Integer> ended = Map.of();
    while (true) {
      long from = above;
      Map<String, Integer> before = ended;
      Step step =
          transactions.requiresNew(
              () -> {
                List<Long> ids = jobs.waiting(queue, from, highest, AT_ONCE);
                Map<String, Integer> all = Changes.sum(before, jobs.cancelWaiting(ids));
                Map<String, Object> detail = new LinkedHashMap<>();
                detail.put("cancelled", Changes.total(all));
                detail.put("state", Changes.fromTo(all, JobState.CANCELLED.name()));
                purging.soFar(detail);
                transactions.afterCommit(signals::orderChanged);
                return new Step(ids, all);
              });
      ended = step.ended();
      if (step.ids().size() < AT_ONCE) {
        return Changes.total(ended);
      }
      above = step.ids().get(step.ids().size() - 1);
    }
  }
}
