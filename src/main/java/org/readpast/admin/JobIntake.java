package org.readpast.admin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.BatchReads;
import org.readpast.admin.store.JobDetails;
import org.readpast.admin.store.JobReads;
import org.readpast.api.Enqueued;
import org.readpast.api.JobRejectedException;
import org.readpast.api.RotateKeys;
import org.readpast.database.Transactions;
import org.readpast.engine.Enqueuer;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.model.Role;
import org.readpast.model.StoredType;

/**
 * Enqueues jobs for callers outside the application, which can name a job type that has no handler.
 */
public final class JobIntake implements Scoped<JobIntake> {
  private final Transactions transactions;
  private final Enqueuer enqueuer;
  private final UnaryOperator<String> storedType;
  private final JobReads reads;
  private final QueueAccess access;

  /**
   * Creates an instance; {@code storedType} returns the stored form of a job type that this node
   * knows.
   */
  public JobIntake(Transactions transactions, Enqueuer enqueuer, UnaryOperator<String> storedType) {
    this(transactions, enqueuer, storedType, QueueAccess.EVERYTHING);
  }

  private JobIntake(
      Transactions transactions,
      Enqueuer enqueuer,
      UnaryOperator<String> storedType,
      QueueAccess access) {
    this.storedType = storedType;
    this.transactions = transactions;
    this.enqueuer = enqueuer;
    this.access = access;
    this.reads = new JobReads(transactions, access.seen());
  }

  @Override
  public JobIntake within(QueueAccess caller) {
    return new JobIntake(transactions, enqueuer, storedType, caller);
  }

  /**
   * Holds an enqueued job.
   *
   * @param isNew false if {@code job} is a live job that already had the unique key
   */
  public record Taken(JobDetails job, boolean isNew) {}

  /**
   * Enqueues one job.
   *
   * @throws UnknownTypeException if no engine has ever registered the job type
   * @throws AccessDeniedException if the caller is not allowed to change its queue or its batch
   * @throws StateConflictException if the unique key belongs to a job that the caller does not see
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
            // The job with this unique key may have ended in the meantime, in a queue that keeps no
            // ended jobs.
            if (details != null) {
              return new Taken(details, false);
            }
          }
        });
  }

  /**
   * Enqueues all jobs, or none if one is refused.
   *
   * @return one result for each job, in the given order
   * @throws UnknownTypeException if no engine has ever registered one of the job types
   * @throws AccessDeniedException if the caller is not allowed to change one of the queues or
   *     batches
   * @throws StateConflictException if one of the unique keys belongs to a job that the caller does
   *     not see
   */
  public List<Enqueued> enqueue(List<NewJob> jobs) {
    return transactions.required(
        () -> {
          require(jobs);
          Map<String, String> oldest =
              check(jobs.stream().map(NewJob::type).collect(Collectors.toSet()));
          List<Enqueued> enqueued =
              enqueuer.enqueue(
                  oldest.isEmpty()
                      ? jobs
                      : jobs.stream().map(job -> job.ofType(stated(job.type(), oldest))).toList());
          requireSeen(jobs, enqueued);
          return enqueued;
        });
  }

  private void require(List<NewJob> jobs) {
    QueueScope operated = access.scope(Role.OPERATOR);
    if (operated.isAll()) {
      return;
    }
    Set<String> batches = new TreeSet<>();
    Set<Long> predecessors = new TreeSet<>();
    for (NewJob job : jobs) {
      AccessDeniedException.require(access, Role.OPERATOR, job.queue());
      requireNotFilling(job.type());
      requireOwnKey(job.uniqueKey());
      predecessors.addAll(job.dependencies().after());
      String batch = job.dependencies().batch();
      if (batch != null) {
        batches.add(batch);
      }
    }
    // If a predecessor is hidden from the caller, the outcome of the new job would reveal its
    // outcome.
    predecessors.removeAll(reads.queuesOf(predecessors).keySet());
    if (!predecessors.isEmpty()) {
      throw new JobRejectedException(
          "after names job "
              + predecessors.iterator().next()
              + ", which does not exist or is in a queue that your roles do not cover;"
              + " name jobs that you can see");
    }
    for (String batch : new BatchReads(transactions, access.seen()).outside(batches, operated)) {
      throw AccessDeniedException.batch(batch);
    }
  }

  /**
   * Refuses jobs that run rules, because they enqueue jobs to the queue of any rule, and read what
   * the rule searches.
   */
  private void requireNotFilling(String type) {
    if (!access.scope(Role.OPERATOR).isAll()
        && StoredType.nameOf(type).equals(RuleControl.JOB_TYPE)) {
      throw AccessDeniedException.filling(RuleControl.JOB_TYPE);
    }
  }

  /** Refuses unique keys of the form in which rules identify their objects. */
  private static void requireOwnKey(@Nullable String key) {
    if (key != null && (key.startsWith("rule:") || key.startsWith("readpast."))) {
      throw new JobRejectedException(
          "unique key '"
              + Names.excerpt(key)
              + "' begins like the keys of rules; use keys that begin with the name of"
              + " your queue");
    }
  }

  /**
   * Refuses the request if a hidden job has one of the unique keys, instead of returning that job.
   */
  private void requireSeen(List<NewJob> jobs, List<Enqueued> enqueued) {
    if (access.seen().isAll()) {
      return;
    }
    List<Long> old = enqueued.stream().filter(one -> !one.isNew()).map(Enqueued::id).toList();
    Set<Long> seen = old.isEmpty() ? Set.of() : reads.queuesOf(old).keySet();
    for (int i = 0; i < enqueued.size(); i++) {
      Enqueued one = enqueued.get(i);
      String key = jobs.get(i).uniqueKey();
      if (key != null && !one.isNew() && !seen.contains(one.id())) {
        throw StateConflict.keyTaken(key);
      }
    }
  }

  /**
   * Refuses job types that callers outside the application are not allowed to enqueue.
   *
   * @param types job types with or without versions
   * @return the job types that no engine has registered in their first version, each with the
   *     oldest registered version, which a request without a version means
   * @throws UnknownTypeException if no engine has ever registered one of the job types
   */
  public Map<String, String> check(Set<String> types) {
    refuseReserved(types);
    Map<String, String> oldest = new HashMap<>();
    Set<String> unknown = transactions.required(() -> reads.unknownAmong(types, oldest));
    if (!unknown.isEmpty()) {
      // A caller that has roles only for single queues does not learn the job types of other
      // queues.
      throw new UnknownTypeException(
          unknown, access.isGeneral() ? transactions.required(reads::types) : null);
    }
    return oldest;
  }

  /**
   * Returns the stored form of a job type that may be enqueued from outside.
   *
   * @param type a job type with or without a version
   * @throws UnknownTypeException if no engine has ever registered the job type
   * @throws AccessDeniedException if jobs of the schedule or rule could do more than the caller may
   *     do
   */
  public String stored(String type) {
    requireNotFilling(type);
    return storedType.apply(stated(type, check(Set.of(type))));
  }

  /**
   * Returns the job type with its version. If no version is given, it is the version of this node's
   * handler, otherwise the first version, or the oldest registered one.
   */
  private String stated(String type, Map<String, String> oldest) {
    return storedType.apply(type).equals(type) ? oldest.getOrDefault(type, type) : type;
  }

  /** Refuses the job types whose jobs only the engine may enqueue. */
  static void refuseReserved(Set<String> types) {
    for (String own : List.of(Reports.WEBHOOK, RotateKeys.TYPE)) {
      if (types.stream().map(StoredType::nameOf).anyMatch(own::equals)) {
        throw new JobRejectedException(
            "jobs of type '" + own + "' are enqueued by the engine only; enqueue another type");
      }
    }
  }
}
