package org.readpast.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobDetails;
import org.readpast.admin.store.JobFacets;
import org.readpast.admin.store.JobReads;
import org.readpast.admin.store.JobSearches;
import org.readpast.admin.store.JobView;
import org.readpast.admin.store.ListenerView;
import org.readpast.admin.store.NodeView;
import org.readpast.admin.store.QueueView;
import org.readpast.admin.store.SystemReads;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.database.Transactions;
import org.readpast.model.JobSearch;
import org.readpast.model.QueueAccess;
import org.readpast.model.SearchOrder;

/** Reads jobs, queues and nodes without locking anything. */
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
   * Returns the queue and the state of a job.
   *
   * @throws NotFoundException if the job does not exist
   */
  public JobReads.Summary summary(long id) {
    return transactions.required(
        () -> {
          JobReads.Summary found = jobs.summary(id);
          if (found == null) {
            throw NotFound.job(id);
          }
          return found;
        });
  }

  /**
   * Returns a job and what is stored about it, with the last attempts and log lines.
   *
   * @throws NotFoundException if the job does not exist
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
   * Holds the jobs that a search has found in its limited time.
   *
   * @param jobs the found jobs without payloads, in the order of the search
   * @param failures the last failure of each job that has failed
   * @param next the id after which the search continues, or null if there are no more jobs
   * @param searched the number of jobs examined
   * @param until when the last examined job was enqueued, or null if there are no more jobs
   * @param overlooksEncrypted true if encrypted jobs may match that were not found
   */
  public record Found(
      List<JobView> jobs,
      Map<Long, String> failures,
      @Nullable Long next,
      long searched,
      @Nullable Instant until,
      boolean overlooksEncrypted) {}

  /**
   * Searches for jobs after an id, or from the first job of the order if the id is null, up to a
   * maximum number.
   */
  public Found jobs(JobSearch search, SearchOrder order, @Nullable Long after, int most) {
    return transactions.required(
        () -> {
          var piece = searches.page(search, order, after, most);
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

  /** Counts the matching jobs in each state, within a limited time. */
  public Map<JobState, JobSearches.Count> counts(JobSearch search) {
    return transactions.required(() -> searches.count(search));
  }

  /**
   * Counts the values of the newest matching jobs, within a limited time. Nodes are named only to
   * callers whose role covers all queues.
   */
  public JobFacets facets(JobSearch search) {
    return transactions.required(() -> searches.facets(search, access.isGeneral()));
  }

  /** Returns the number of jobs in each state. */
  public Map<JobState, SystemReads.Total> totals() {
    return transactions.required(() -> system.totals(system.queues()));
  }

  /** Returns every queue, ordered by name. */
  public List<QueueView> queues() {
    return transactions.required(system::queues);
  }

  /**
   * Refuses the request if a queue does not exist.
   *
   * @throws NotFoundException if the queue does not exist
   */
  public void requireQueue(String name) {
    List<String> names = transactions.required(system::queueNames);
    if (!names.contains(name)) {
      throw NotFound.queue(name, names);
    }
  }

  /** Returns how each node serves its queues, the newest node first. */
  public List<ListenerView> listening() {
    return transactions.required(system::listening);
  }

  /**
   * Returns nodes, the newest first.
   *
   * @param all true for every recorded node; false for the running nodes and, for each name, the
   *     last node that ended within a day and was not started again
   */
  public List<NodeView> nodes(boolean all) {
    return transactions.required(() -> system.nodes(all));
  }
}
