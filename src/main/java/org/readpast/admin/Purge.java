package org.readpast.admin;

import java.util.List;
import java.util.Map;
import org.readpast.engine.Signals;
import org.readpast.store.JobAdmin;
import org.readpast.store.Transactions;

/**
 * Empties a queue: ends what waits in it as CANCELLED, in steps that are transactions of their own.
 * What was purged by mistake can be reset.
 */
public final class Purge {
  private static final int AT_ONCE = 500;

  private final Transactions transactions;
  private final Signals signals;
  private final Audit audit;
  private final JobAdmin jobs;

  public Purge(Transactions transactions, Signals signals, Audit audit) {
    this.transactions = transactions;
    this.signals = signals;
    this.audit = audit;
    this.jobs = new JobAdmin(transactions, signals);
  }

  /**
   * Ends the jobs that wait now; those that come meanwhile, and those in work, stay.
   *
   * @return how many were ended
   */
  public int purge(String queue) {
    long highest = transactions.fresh(() -> jobs.highestId(queue));
    Audit.Ongoing purging = audit.begin("queue.purge", queue);
    long above = 0;
    int ended = 0;
    while (true) {
      long from = above;
      int before = ended;
      List<Long> some =
          transactions.fresh(
              () -> {
                List<Long> ids = jobs.waiting(queue, from, highest, AT_ONCE);
                jobs.cancelWaiting(ids);
                purging.soFar(Map.of("cancelled", before + ids.size()));
                transactions.afterCommit(signals::orderChanged);
                return ids;
              });
      ended += some.size();
      if (some.size() < AT_ONCE) {
        return ended;
      }
      above = some.get(some.size() - 1);
    }
  }
}
