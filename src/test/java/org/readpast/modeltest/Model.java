package org.readpast.modeltest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.readpast.api.BatchFailure;
import org.readpast.api.JobRequest;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.modeltest.ModelJob.Ending;
import org.readpast.modeltest.ModelJob.Waits;

/**
 * What must be true of the jobs, by what the API and the README say; nothing of how it is done.
 * What ends and comes is told to those that wait by {@link ModelOrder}.
 */
final class Model {
  /** What a job's type allows where the job itself says nothing. */
  static final int USUAL_ATTEMPTS = 3;

  static final long LEASE = 30_000;
  static final long ALLOWED = 60_000;
  private static final long OVERDUE_GRACE = 10_000;
  private static final long WISH_KEPT = 5_000;
  static final String UNKEPT = "unkept";

  /** A named set of jobs. */
  static final class ModelBatch {
    final String name;
    final BatchFailure onFailure;
    boolean sealed;
    boolean cancelled;
    boolean held;
    boolean finished;
    final Map<String, NewJob> callbacks = new TreeMap<>();
    final TreeSet<String> called = new TreeSet<>();

    ModelBatch(String name, BatchFailure onFailure) {
      this.name = name;
      this.onFailure = onFailure;
    }
  }

  /** A node by its number. */
  static final class ModelNode {
    long beat;
    boolean dead;
  }

  final Map<Long, ModelJob> jobs = new LinkedHashMap<>();
  final Map<String, ModelBatch> batches = new TreeMap<>();
  final Map<Integer, ModelNode> nodes = new HashMap<>();
  final ModelOrder order = new ModelOrder(this);
  long now;
  private long places;

  List<ModelJob> jobs(Predicate<ModelJob> which) {
    return jobs.values().stream().filter(which).toList();
  }

  ModelJob holderOf(String key) {
    return key == null
        ? null
        : jobs.values().stream()
            .filter(job -> job.live() && key.equals(job.key))
            .findFirst()
            .orElse(null);
  }

  ModelBatch batch(String name) {
    return batches.computeIfAbsent(name, n -> new ModelBatch(n, BatchFailure.HOLD));
  }

  /** Adds a job that was enqueued; after: what it comes after. */
  ModelJob add(long id, NewJob asked, List<Long> after) {
    ModelJob job = new ModelJob(jobs.size() + 1, id, asked, now);
    jobs.put(id, job);
    after.forEach(predecessor -> job.after.put(predecessor, Ending.OPEN));
    if (job.batch != null) {
      batch(job.batch);
    }
    job.waitsFor =
        !after.isEmpty()
            ? Waits.PREDECESSOR
            : job.batch != null ? Waits.WAVE : job.group != null ? Waits.GROUP : null;
    if (job.waitsFor == null) {
      free(job, nextPlace());
    } else {
      order.added(job);
    }
    return job;
  }

  long nextPlace() {
    return ++places;
  }

  /** It waits for no other any more. */
  void free(ModelJob job, long place) {
    job.waitsFor = null;
    job.everFree = true;
    if (job.due > now) {
      job.state = JobState.SCHEDULED;
    } else {
      makeAvailable(job, place);
    }
  }

  private static void makeAvailable(ModelJob job, long place) {
    job.state = JobState.AVAILABLE;
    job.place = place;
  }

  /** Those that a claim of a queue may take: the most urgent first, in each lane in order. */
  List<ModelJob> claimable(String queue) {
    List<ModelJob> all =
        new ArrayList<>(jobs(j -> j.state == JobState.AVAILABLE && j.queue.equals(queue)));
    all.sort(
        java.util.Comparator.comparingInt((ModelJob j) -> -j.priority)
            .thenComparingLong(j -> j.place));
    return all;
  }

  void claimed(ModelJob job, int node, boolean cautious) {
    job.state = JobState.RUNNING;
    job.owner = node;
    job.attempt++;
    job.fence++;
    job.deadline = now + ALLOWED;
    job.cautious = cautious;
    job.alone = false;
  }

  /** Whether a claim is still its owner's. */
  boolean owns(ModelJob job, int fence) {
    return job.live() && job.state == JobState.RUNNING && job.fence == fence;
  }

  int attemptsAllowed(ModelJob job) {
    return job.maxAttempts == null ? USUAL_ATTEMPTS : job.maxAttempts;
  }

  /** An attempt of it has failed, or asked for later; whether it was its last one. */
  boolean lastAttempt(ModelJob job, int attempt) {
    int allowed = attemptsAllowed(job);
    return allowed != JobRequest.UNLIMITED && attempt - job.uncounted >= allowed;
  }

  void end(ModelJob job, JobState how) {
    job.state = how;
    job.waitsFor = null;
    job.owner = 0;
    job.lives++;
    order.ended(job);
    if (how == JobState.COMPLETED && job.queue.equals(UNKEPT)) {
      job.gone = true;
    }
  }

  /** What becomes of a job after an attempt. */
  void judged(ModelJob job, Outcome outcome) {
    job.failures++;
    if (outcome instanceof Outcome.Retry retry) {
      job.uncounted += retry.counted() ? 0 : 1;
      putBack(job, retry.pause().toMillis(), nextPlace());
    } else {
      end(job, outcome instanceof Outcome.Cancelled ? JobState.CANCELLED : JobState.DISCARDED);
    }
  }

  private void putBack(ModelJob job, long pause, long place) {
    job.fence++;
    job.owner = 0;
    job.due = now + pause;
    job.dueWithin = 900;
    free(job, place);
  }

  void giveBack(ModelJob job, long place) {
    job.attempt--;
    if (!waitsForItsTurnAgain(job)) {
      job.fence++;
      job.owner = 0;
      makeAvailable(job, place);
    }
  }

  /** One that was leased as the next of its group, unless somebody has judged it. */
  private boolean waitsForItsTurnAgain(ModelJob job) {
    if (job.waitsFor != Waits.GROUP) {
      return false;
    }
    job.fence++;
    job.owner = 0;
    job.state = JobState.BLOCKED;
    order.added(job);
    return true;
  }

  /** What housekeeping does, of all that can be done now. */
  void keepHouse() {
    nodes.values().forEach(node -> node.dead |= now - node.beat >= LEASE);
    takeOver();
    long place = nextPlace();
    for (ModelJob job : jobs(j -> j.state == JobState.SCHEDULED && j.due <= now)) {
      makeAvailable(job, place);
    }
    jobs(j -> j.waits() && j.expired(now)).forEach(job -> end(job, JobState.EXPIRED));
    for (ModelJob job : jobs(j -> j.wished != null && now - j.wished >= WISH_KEPT)) {
      if (job.waits()) {
        end(job, JobState.CANCELLED);
      }
      if (!job.live()) {
        job.wished = null;
      }
    }
  }

  private void takeOver() {
    long place = nextPlace();
    for (ModelJob job : jobs(j -> j.live() && j.state == JobState.RUNNING)) {
      boolean crashed = nodes.get(job.owner).dead;
      if (crashed || now - job.deadline >= OVERDUE_GRACE) {
        job.failures++;
        boolean charged = job.alone || !crashed;
        boolean never = attemptsAllowed(job) == 1 && !job.cautious;
        if (never || (charged && lastAttempt(job, job.attempt))) {
          end(job, JobState.DISCARDED);
        } else {
          job.crashes += crashed ? 1 : 0;
          int counted = job.attempt - job.uncounted;
          job.uncounted += charged ? 0 : 1;
          long pause = charged ? 1_000L << (counted - 1) : 0;
          if (waitsForItsTurnAgain(job)) {
            job.due = now + pause;
            job.dueWithin = 900;
          } else {
            putBack(job, pause, place);
          }
          job.dueWithin += pause / 5;
        }
      }
    }
  }

  /** Cancels a job that waits for no other; asks others. True if it has ended. */
  boolean cancel(ModelJob job) {
    if (job.state == JobState.RUNNING) {
      wish(job);
      return false;
    }
    if (job.state == JobState.BLOCKED) {
      order.cancel(job);
      return false;
    }
    end(job, JobState.CANCELLED);
    job.wished = null;
    return true;
  }

  void wish(ModelJob job) {
    if (job.wished == null) {
      job.wished = now;
    }
  }

  boolean resettable(ModelJob job) {
    return !job.gone && job.endedBadly() && holderOf(job.key) == null;
  }

  /** Jobs that would have waited for it, had it not ended. */
  List<ModelJob> followers(ModelJob ended) {
    return jobs(
        j ->
            (j.onFailure == PredecessorFailure.RUN
                    && j.after.containsKey(ended.id)
                    && (j.after.get(ended.id) == Ending.BADLY || j.state.ended()))
                || (ended.batch != null && ended.batch.equals(j.batch) && j.wave > ended.wave));
  }

  void reset(ModelJob job, Waits firstWaitsFor) {
    JobState before = job.state;
    job.uncounted = job.attempt;
    job.crashes = 0;
    job.fence++;
    job.wished = null;
    job.due = now;
    job.dueWithin = 900;
    job.expires = job.expired(now) ? null : job.expires;
    job.state = JobState.BLOCKED;
    job.waitsFor = firstWaitsFor;
    if (firstWaitsFor == null) {
      free(job, nextPlace());
    } else {
      order.added(job);
    }
    order.reset(job, before);
  }

  /** Where a job that is reset begins to wait. */
  Waits firstWaitsFor(ModelJob job) {
    return !job.after.isEmpty()
        ? Waits.PREDECESSOR
        : job.batch != null ? Waits.WAVE : job.group != null ? Waits.GROUP : null;
  }

  void prioritize(ModelJob job, int priority) {
    if (job.priority != priority) {
      job.priority = priority;
      if (job.state == JobState.AVAILABLE) {
        job.place = nextPlace();
      }
    }
  }

  void runNow(ModelJob job) {
    job.due = now;
    makeAvailable(job, nextPlace());
  }

  void delete(ModelJob job) {
    job.gone = true;
    job.failures = 0;
    job.after.clear();
    job.wished = null;
    order.deleted(job);
  }

  /** Declared dead. */
  boolean dead(int node) {
    return nodes.get(node).dead;
  }
}
