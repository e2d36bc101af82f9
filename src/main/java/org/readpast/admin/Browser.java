package org.readpast.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobDetails;
import org.readpast.admin.store.JobReads;
import org.readpast.admin.store.JobSearches;
import org.readpast.admin.store.JobView;
import org.readpast.admin.store.ListenerView;
import org.readpast.admin.store.NodeView;
import org.readpast.admin.store.QueueView;
import org.readpast.admin.store.SystemReads;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.model.JobSearch;
import org.readpast.model.QueueAccess;
import org.readpast.store.Transactions;

/** Looks at jobs, queues and nodes without locking anything. */
public final class Browser implements Scoped<Browser> {
  private final Transactions transactions;
  private final JobReads jobs;
  private final JobSearches searches;
  private final SystemReads system;
  private final Reasons reasons;
  private final QueueAccess access;

  public Browser(Transactions transactions, Reasons reasons) {
    this(transactions, reasons, QueueAccess.EVERYTHING);
  }

  private Browser(Transactions transactions, Reasons reasons, QueueAccess access) {
    this.transactions = transactions;
    this.reasons = reasons;
    this.access = access;
    this.jobs = new JobReads(transactions, access.seen());
    this.searches = new JobSearches(transactions, access.seen());
    this.system = new SystemReads(transactions, access.seen());
  }

  @Override
  public Browser within(QueueAccess caller) {
    return new Browser(transactions, reasons, caller);
  }

  /**
   * A job and all that is kept about it.
   *
   * @throws NotFoundException if there is none
   */
  public JobDetails job(long id) {
    return transactions.required(
        () -> {
          JobDetails found = jobs.details(id);
          if (found == null) {
            throw NotFound.job(id);
          }
          return found.because(reasons.of(found.job(), access.seen()));
        });
  }

  /**
   * What a search has found in a short time.
   *
   * @param jobs the newest first, without payloads
   * @param failures the last one of each that has failed
   * @param next look below this for more; null: there are no more
   * @param searched how many jobs were looked at
   * @param until when the last of them was enqueued; null: there are no more
   * @param overlooksEncrypted whether encrypted jobs may match that were not found
   */
  public record Found(
      List<JobView> jobs,
      Map<Long, String> failures,
      @Nullable Long next,
      long searched,
      @Nullable Instant until,
      boolean overlooksEncrypted) {}

  /** Looks for jobs, at most so many, below an id; null: from the newest on. */
  public Found jobs(JobSearch search, @Nullable Long below, int most) {
    return transactions.required(
        () -> {
          var piece = searches.page(search, below == null ? JobSearches.NEWEST : below, most);
          Long next = piece.next();
          JobView last = next == null ? null : jobs.find(next);
          return new Found(
              piece.found(),
              searches.lastFailures(piece.found()),
              next,
              piece.searched(),
              last == null ? null : last.enqueuedAt(),
              searches.overlooksEncrypted(search));
        });
  }

  /** How many jobs match in each state, counted for a short time. */
  public Map<JobState, JobSearches.Count> counts(JobSearch search) {
    return transactions.required(() -> searches.count(search));
  }

  /** How many jobs there are in each state. */
  public Map<JobState, SystemReads.Total> totals() {
    return transactions.required(() -> system.totals(system.queues()));
  }

  /** Every queue, by name. */
  public List<QueueView> queues() {
    return transactions.required(system::queues);
  }

  /**
   * Refuses a queue that there is not.
   *
   * @throws NotFoundException if there is none
   */
  public void requireQueue(String name) {
    List<String> names = transactions.required(system::queueNames);
    if (!names.contains(name)) {
      throw NotFound.queue(name, names);
    }
  }

  /** How each node serves its queues, the newest node first. */
  public List<ListenerView> listening() {
    return transactions.required(system::listening);
  }

  /**
   * Nodes, the newest first.
   *
   * @param all every node on record; else those that run, and the last of each name that has ended
   *     within a day and was not started again
   */
  public List<NodeView> nodes(boolean all) {
    return transactions.required(() -> system.nodes(all));
  }
}
