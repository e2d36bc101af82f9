package org.readpast.admin;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobAdmin;
import org.readpast.admin.store.JobReads;
import org.readpast.admin.store.JobView;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.api.ReadpastException;
import org.readpast.api.StateConflictException;
import org.readpast.database.Transactions;
import org.readpast.engine.Signals;
import org.readpast.model.Encryption;
import org.readpast.model.NewJob;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.model.Role;
import org.readpast.model.Transition;

/** Executes operators' actions on single jobs. */
public final class JobControl implements Scoped<JobControl> {
  private final Transactions transactions;
  private final Signals signals;
  private final Audit audit;
  private final JobAdmin jobs;
  private final JobReads reads;
  private final QueueAccess access;

  public JobControl(Transactions transactions, Signals signals, Audit audit) {
    this(transactions, signals, audit, QueueAccess.EVERYTHING);
  }

  private JobControl(Transactions transactions, Signals signals, Audit audit, QueueAccess access) {
    this.transactions = transactions;
    this.signals = signals;
    this.audit = audit;
    this.access = access;
    this.jobs = new JobAdmin(transactions, signals);
    this.reads = new JobReads(transactions, access.seen());
  }

  @Override
  public JobControl within(QueueAccess caller) {
    return new JobControl(transactions, signals, audit, caller);
  }

  /**
   * Refuses a job that the caller is not allowed to change; if the caller does not see the job, the
   * message is the same as for a job that does not exist. A job never changes its queue, so the
   * check remains valid for the actions that follow.
   */
  private void requireOperator(long id) {
    if (!access.scope(Role.OPERATOR).isAll()) {
      String queue = reads.queuesOf(List.of(id)).get(id);
      if (queue == null) {
        throw NotFound.job(id);
      }
      AccessDeniedException.require(access, Role.OPERATOR, queue);
    }
  }

  /** Returns the jobs that the caller may change with this role. */
  List<Long> permitted(List<Long> ids, Role role) {
    QueueScope permitted = access.scope(role);
    if (permitted.isAll()) {
      return ids;
    }
    Set<Long> found = new JobReads(transactions, permitted).queuesOf(ids).keySet();
    return ids.stream().filter(found::contains).toList();
  }

  /**
   * Cancels a waiting job, or asks a running job to end.
   *
   * @return true if the job has ended; false if it was asked to end, or if it waits for other jobs
   *     and ends shortly after the commit
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job has already ended
   */
  public boolean cancel(long id) {
    return cancel(
        id, () -> StateConflict.of(Transition.CANCEL, "cancelled", id, existing(id).state()));
  }

  private boolean cancel(long id, Supplier<? extends ReadpastException> notLive) {
    return transactions.required(
        () -> {
          requireOperator(id);
          JobAdmin.Cancelled cancelled = jobs.cancel(id);
          return switch (cancelled.what()) {
            case ENDED -> {
              audit.did(
                  "job.cancel",
                  id,
                  Map.of(
                      "state",
                      Changes.fromTo(String.valueOf(cancelled.from()), JobState.CANCELLED.name())));
              transactions.afterCommit(signals::orderChanged);
              yield true;
            }
            case ASKED -> {
              audit.did(
                  "job.cancel",
                  id,
                  Map.of("askedToEnd", Changes.fromTo(cancelled.already(), true)));
              transactions.afterCommit(signals::orderChanged);
              yield false;
            }
            case NOT_LIVE -> throw notLive.get();
          };
        });
  }

  /**
   * Cancels the live job that has a unique key, as {@link #cancel(long)} does.
   *
   * @throws NotFoundException if no live job has the key
   */
  public boolean cancel(String uniqueKey) {
    NewJob.checkUniqueKey(uniqueKey);
    return transactions.required(
        () -> {
          Long holder = jobs.holderOf(uniqueKey);
          if (holder == null || shown(holder) == null) {
            throw NotFound.uniqueKey(uniqueKey);
          }
          return cancel(holder, () -> NotFound.uniqueKey(uniqueKey));
        });
  }

  /** Resets a job and keeps its payload. */
  public void reset(long id, boolean force) {
    reset(id, force, null);
  }

  /**
   * Resets an ended job to AVAILABLE, with its full number of attempts.
   *
   * @param force true to reset the job even if jobs that would have waited for it have started, or
   *     no longer wait for it
   * @param payload JSON that replaces the payload, or null to keep the payload
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job is live or COMPLETED; if a live job has its unique
   *     key; if jobs that would have waited for it have started or no longer wait for it; if its
   *     payload was erased and no other is given; or if JSON would replace another content type
   */
  public void reset(long id, boolean force, @Nullable String payload) {
    transactions.required(
        () -> {
          requireOperator(id);
          List<JobAdmin.Changed> reset =
              payload == null
                  ? jobs.reset(List.of(id), force)
                  : reset(existing(id), force, payload);
          if (reset.isEmpty()) {
            throw refusal(existing(id));
          }
          String queue = reset.get(0).queue();
          Map<String, Object> detail = new LinkedHashMap<>();
          detail.put("state", change(reset));
          detail.putAll(how(force, payload != null));
          audit.did("job.reset", id, detail);
          transactions.afterCommit(() -> available(List.of(queue)));
          return queue;
        });
  }

  private List<JobAdmin.Changed> reset(JobView job, boolean force, String payload) {
    JobIntake.refuseReserved(Set.of(job.type()));
    String contentType = job.contentType();
    if (contentType != null) {
      throw StateConflict.notJson(job.id(), contentType);
    }
    if (Encryption.isPlaceholder(payload)) {
      throw new JobRejectedException(Encryption.PLACEHOLDER);
    }
    return jobs.reset(job, force, payload);
  }

  private static Map<String, Boolean> how(boolean force, boolean newPayload) {
    Map<String, Boolean> how = new TreeMap<>(Map.of("force", force, "newPayload", newPayload));
    how.values().removeIf(said -> !said);
    return how;
  }

  /**
   * Resets the jobs that can be reset. The audit does not record the resets of this method; the
   * caller records them as a single change.
   *
   * @return the number of reset jobs by their previous state
   */
  public Map<String, Integer> resetAll(List<Long> ids) {
    return transactions.required(
        () -> {
          List<JobAdmin.Changed> reset = jobs.reset(permitted(ids, Role.OPERATOR), false);
          var queues = reset.stream().map(JobAdmin.Changed::queue).collect(Collectors.toSet());
          if (!queues.isEmpty()) {
            transactions.afterCommit(() -> available(queues));
          }
          return before(reset);
        });
  }

  /**
   * Makes a SCHEDULED job AVAILABLE immediately, whether it waits for its first attempt or for a
   * retry.
   *
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job is not SCHEDULED
   */
  public void runNow(long id) {
    transactions.required(
        () -> {
          requireOperator(id);
          List<JobAdmin.Changed> due = changed(jobs.runNow(id));
          if (due.isEmpty()) {
            throw StateConflict.of(Transition.PROMOTE, "run now", id, existing(id).state());
          }
          audit.did("job.run", id, Map.of("due", change(due)));
          return id;
        });
  }

  /**
   * Makes the SCHEDULED jobs due now, except jobs that another transaction has locked. The caller
   * records the change in the audit.
   *
   * @return the number of changed jobs by their previous state
   */
  public Map<String, Integer> runAllNow(List<Long> ids) {
    return transactions.required(
        () -> {
          int due = changed(jobs.runNow(permitted(ids, Role.OPERATOR))).size();
          return due == 0 ? Map.of() : Map.of(JobState.SCHEDULED.name(), due);
        });
  }

  /**
   * Changes the due time of a job that has not started, or that waits for a retry.
   *
   * @param at the new due time; a time in the past makes the job due now
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job is neither SCHEDULED nor AVAILABLE
   */
  public void reschedule(long id, Instant at) {
    NewJob.checkMoment("at", at);
    transactions.required(
        () -> {
          requireOperator(id);
          while (true) {
            JobAdmin.Rescheduled done = jobs.reschedule(id, at);
            boolean due = done.dueIn().isNegative() || done.dueIn().isZero();
            JobAdmin.Changed change = done.change();
            if (change != null) {
              audit.did("job.reschedule", id, Map.of("due", change(List.of(change))));
              transactions.afterCommit(
                  () -> {
                    if (due) {
                      signals.jobsAvailable(List.of(change.queue()));
                    } else {
                      signals.dueIn(done.dueIn());
                    }
                  });
              return true;
            }
            JobState state = existing(id).state();
            if (due && state == JobState.AVAILABLE) {
              return false;
            }
            // The job may have been RUNNING before, and be waiting again now. The next iteration
            // then changes the job.
            if (!Transition.RESCHEDULE.allowedFrom(state)) {
              throw StateConflict.of(Transition.RESCHEDULE, "rescheduled", id, state);
            }
          }
        });
  }

  /**
   * Changes the priority of a waiting job.
   *
   * @param priority the new priority, from 0 to 9
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job does not wait
   */
  public void changePriority(long id, int priority) {
    transactions.required(
        () -> {
          requireOperator(id);
          List<JobAdmin.Changed> changed = changed(jobs.changePriority(List.of(id), priority));
          if (changed.isEmpty()) {
            JobView job = existing(id);
            if (job.state() == JobState.RUNNING || job.state().ended()) {
              throw StateConflict.notWaiting(id, job.state());
            }
            if (job.priority() != priority) {
              throw StateConflict.inUse(id);
            }
          }
          // No change is returned if the job already had the requested priority.
          int before = changed.isEmpty() ? priority : Integer.parseInt(changed.get(0).from());
          audit.did("job.prioritize", id, Map.of("priority", Changes.fromTo(before, priority)));
          return id;
        });
  }

  /**
   * Changes the priority of the jobs that are waiting. Returns the number of jobs that had another
   * priority, by their old priority.
   */
  public Map<String, Integer> changePriorities(List<Long> ids, int priority) {
    return transactions.required(
        () -> before(changed(jobs.changePriority(permitted(ids, Role.OPERATOR), priority))));
  }

  /**
   * Changes the type of the jobs that are waiting. Returns the number of jobs that had another
   * type, by their old type. The caller must have checked that the type is known, and records the
   * change in the audit.
   *
   * @param type the job type in its stored form
   */
  public Map<String, Integer> changeTypes(List<Long> ids, String type) {
    return transactions.required(
        () -> before(changed(jobs.changeType(permitted(ids, Role.OPERATOR), type))));
  }

  private static Map<String, @Nullable Object> change(List<JobAdmin.Changed> one) {
    return Changes.fromTo(one.get(0).from(), one.get(0).to());
  }

  private static Map<String, Integer> before(List<JobAdmin.Changed> changed) {
    Map<String, Integer> counts = new TreeMap<>();
    changed.forEach(one -> counts.merge(one.from(), 1, Integer::sum));
    return counts;
  }

  private List<JobAdmin.Changed> changed(List<JobAdmin.Changed> changed) {
    var queues = changed.stream().map(JobAdmin.Changed::queue).collect(Collectors.toSet());
    if (!queues.isEmpty()) {
      transactions.afterCommit(() -> signals.jobsAvailable(queues));
    }
    return changed;
  }

  /**
   * Deletes an ended job and everything that is stored about it. Waves and groups that the job
   * holds continue.
   *
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job is live, or another job waits for it
   */
  public void delete(long id) {
    transactions.required(
        () -> {
          requireOperator(id);
          List<JobAdmin.Changed> deleted = removed(List.of(id));
          if (deleted.isEmpty()) {
            JobView job = existing(id);
            if (!job.state().ended()) {
              throw StateConflict.live(id, job.state());
            }
            Long follower = jobs.followerOf(id);
            throw follower == null
                ? StateConflict.inUse(id)
                : StateConflict.followed(id, shown(follower));
          }
          Map<String, Object> detail = new LinkedHashMap<>();
          detail.put("state", change(deleted));
          detail.put("queue", deleted.get(0).queue());
          audit.did("job.delete", id, List.of(deleted.get(0).queue()), detail);
          return id;
        });
  }

  /**
   * Deletes the jobs that have ended and that no other job waits for. Returns the number of deleted
   * jobs by their state.
   */
  public Map<String, Integer> deleteAll(List<Long> ids) {
    return transactions.required(() -> before(removed(permitted(ids, Role.OPERATOR))));
  }

  /**
   * Deletes the content of the jobs that have ended: payloads, results, properties, failure
   * messages, stack traces and log lines. The audit does not record the changes of this method; the
   * caller records them as a single change.
   *
   * @return the number of erased jobs by their state
   */
  public Map<String, Integer> eraseAll(List<Long> ids) {
    return transactions.required(() -> before(jobs.erase(permitted(ids, Role.ADMIN))));
  }

  private List<JobAdmin.Changed> removed(List<Long> ids) {
    transactions.afterCommit(signals::orderChanged);
    return jobs.delete(ids);
  }

  private void available(Collection<String> queues) {
    signals.jobsAvailable(queues);
    signals.orderChanged();
  }

  private JobView existing(long id) {
    JobView job = reads.find(id);
    if (job == null) {
      throw NotFound.job(id);
    }
    return job;
  }

  private StateConflictException refusal(JobView job) {
    if (!Transition.RESET.allowedFrom(job.state())) {
      return StateConflict.of(Transition.RESET, "reset", job.id(), job.state());
    }
    if (jobs.overtaken(job.id())) {
      return StateConflict.overtaken(job.id());
    }
    if (job.payload() == null) {
      return StateConflict.noPayload(job.id());
    }
    String key = job.uniqueKey();
    Long holder = key == null ? null : jobs.holderOf(key);
    return key == null || holder == null
        ? StateConflict.of(Transition.RESET, "reset", job.id(), job.state())
        : StateConflict.keyHeld(job.id(), key, shown(holder));
  }

  /** Returns the id, or null if the caller does not see the job. */
  private @Nullable Long shown(long id) {
    return reads.queuesOf(List.of(id)).isEmpty() ? null : id;
  }
}
