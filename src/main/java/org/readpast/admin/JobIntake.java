package org.readpast.admin;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.readpast.admin.store.JobDetails;
import org.readpast.admin.store.JobReads;
import org.readpast.api.Enqueued;
import org.readpast.api.JobRejectedException;
import org.readpast.engine.Enqueuer;
import org.readpast.model.NewJob;
import org.readpast.store.Transactions;

/** Enqueues for callers outside the application, who can name a type that nobody handles. */
public final class JobIntake {
  private final Transactions transactions;
  private final Enqueuer enqueuer;
  private final JobReads reads;

  public JobIntake(Transactions transactions, Enqueuer enqueuer) {
    this.transactions = transactions;
    this.enqueuer = enqueuer;
    this.reads = new JobReads(transactions);
  }

  /**
   * A job as it was taken in.
   *
   * @param isNew false if a live job already held the unique key; it is then that job
   */
  public record Taken(JobDetails job, boolean isNew) {}

  /**
   * Enqueues one.
   *
   * @throws UnknownTypeException if no engine has ever registered its type
   */
  public Taken enqueue(NewJob job) {
    return transactions.required(
        () -> {
          while (true) {
            Enqueued enqueued = enqueue(List.of(job)).get(0);
            if (enqueued.isNew()) {
              return new Taken(reads.enqueued(enqueued.id()), true);
            }
            JobDetails details = reads.details(enqueued.id());
            // The holder of the unique key can end meanwhile, and its queue may keep no ended jobs.
            if (details != null) {
              return new Taken(details, false);
            }
          }
        });
  }

  /**
   * Enqueues all, or none.
   *
   * @return one result for each job, in the order given
   * @throws UnknownTypeException if no engine has ever registered one of the types
   */
  public List<Enqueued> enqueue(List<NewJob> jobs) {
    return transactions.required(
        () -> {
          check(jobs.stream().map(NewJob::type).collect(Collectors.toSet()));
          return enqueuer.enqueue(jobs);
        });
  }

  /**
   * Lets pass what may come from outside.
   *
   * @throws UnknownTypeException if no engine has ever registered one of the types
   */
  public void check(Set<String> types) {
    refuseReserved(types);
    Set<String> unknown = transactions.required(() -> reads.unknownAmong(types));
    if (!unknown.isEmpty()) {
      throw new UnknownTypeException(unknown, transactions.required(reads::types));
    }
  }

  /** What is signed as the engine's own word must not come from outside. */
  static void refuseReserved(Set<String> types) {
    if (types.contains(Reports.WEBHOOK)) {
      throw new JobRejectedException(
          "jobs of type '" + Reports.WEBHOOK + "' are the engine's own; enqueue another type");
    }
  }
}
