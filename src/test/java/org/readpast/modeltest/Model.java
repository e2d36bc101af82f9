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
import org.readpast.engine.StepNode;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.modeltest.ModelJob.Ending;
import org.readpast.modeltest.ModelJob.Waits;

/**
 * Implements the rules for jobs according to the API and the README, independent of the
 * implementation. {@link ModelOrder} applies the ends and additions of jobs to the jobs that wait
 * for them.
 */
final class Model {
  /** Specifies the maximum number of attempts for jobs that specify none. */
  static final int USUAL_ATTEMPTS = 3;

  static final long LEASE = 30_000;
  static final long ALLOWED = 60_000;

  /** Specifies the longest time between two heartbeats of a node that sends them steadily. */
  private static final long STEADY_WITHIN = 20_000;

  /** Specifies how long a job may be overdue; an outage that is shorter goes unnoticed. */
  private static final long OVERDUE_GRACE = STEADY_WITHIN;

  private static final long REQUEST_KEPT = 5_000;

  /** A node must know of a lease of this age; otherwise the response to its claim was lost. */
  private static final long ARRIVES_WITHIN = 5_000;

  static final String UNKEPT = "unkept";

  /** Identifies the state of a node as other nodes know it. */
  enum NodeLife {
    ACTIVE,
    DEAD,
    STOPPED
  }

  /** Represents a named set of jobs. */
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

  /** Represents a node, whose key is its number. */
  static final class ModelNode {
    long beat;

    /** Holds the time since which the node has sent its heartbeats steadily. */
    long steadySince;

    /** Holds the number of the registration, in the order of all registrations and heartbeats. */
    final long registration;

    /** Holds the number of the last heartbeat in the same order. */
    long lastBeat;

    NodeLife state = NodeLife.ACTIVE;

    private ModelNode(long now, long registration) {
      beat = now;
      steadySince = now;
      this.registration = registration;
      lastBeat = registration;
    }

    private void beats(long now, long number) {
      steadySince = now - beat < STEADY_WITHIN ? steadySince : now;
      beat = now;
      lastBeat = number;
    }

    boolean dead() {
      return state == NodeLife.DEAD;
    }

    boolean ended() {
      return state != NodeLife.ACTIVE;
    }

    /**
     * Returns true if the node would have noticed that it was cut off, or that the clock was set,
     * and the other node has had the time to return.
     */
    boolean mayDeclareDead(ModelNode silent, long now) {
      long time = wasCutOffWith(silent) ? 3 * LEASE : LEASE;
      return !ended() && steady(0, time, now);
    }

    /** Returns true if a heartbeat of the other node was late when this node returned. */
    boolean wasCutOffWith(ModelNode silent) {
      return silent.lastBeat > registration && steadySince - silent.beat >= STEADY_WITHIN;
    }

    /** Returns true if the node has sent its heartbeats steadily until now for the given time. */
    boolean steady(long since, long time, long now) {
      return now - beat < STEADY_WITHIN && now - Math.max(since, steadySince) >= time;
    }
  }

  final Map<Long, ModelJob> jobs = new LinkedHashMap<>();
  final Map<String, ModelBatch> batches = new TreeMap<>();
  final Map<Integer, ModelNode> nodes = new HashMap<>();
  final ModelDependencies order = new ModelDependencies(this);
  long now;
  private long places;
  private long heartbeats;

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

  void register(int node) {
    nodes.put(node, new ModelNode(now, ++heartbeats));
  }

  void beat(int node) {
    nodes.get(node).beats(now, ++heartbeats);
  }

  ModelBatch batch(String name) {
    return batches.computeIfAbsent(name, n -> new ModelBatch(n, BatchFailure.HOLD));
  }

  /** Adds an enqueued job with its predecessors. */
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

  /** Releases a job that no longer waits for other jobs. */
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

  /**
   * Returns the jobs that a claim of a queue can take, by priority and in the order of each lane.
   */
  List<ModelJob> claimable(String queue) {
    List<ModelJob> all =
        new ArrayList<>(jobs(j -> j.state == JobState.AVAILABLE && j.queue.equals(queue)));
    all.sort(
        java.util.Comparator.comparingInt((ModelJob j) -> -j.priority)
            .thenComparingLong(j -> j.place));
    return all;
  }

  /**
   * Leases a job.
   *
   * @param first true if the node starts with this job
   */
  void claimed(ModelJob job, int node, boolean first) {
    job.state = JobState.RUNNING;
    job.owner = node;
    job.attempt++;
    job.fence++;
    job.claimedAt = now;
    job.first = first;
    job.begun = false;
  }

  /** Returns the number of leased jobs of a queue, across all nodes. */
  long leased(String queue) {
    return jobs(j -> j.live() && j.state == JobState.RUNNING && j.queue.equals(queue)).size();
  }

  /** Returns true if a claim still owns the job. */
  boolean owns(ModelJob job, int fence) {
    return job.live() && job.state == JobState.RUNNING && job.fence == fence;
  }

  int attemptsAllowed(ModelJob job) {
    return job.maxAttempts == null ? USUAL_ATTEMPTS : job.maxAttempts;
  }

  /** Returns true if an attempt that has failed or requested a retry was the last one. */
  boolean lastAttempt(ModelJob job, int attempt) {
    return lastStart(job, attempt - job.deaths());
  }

  /** Returns true if the job has no counted starts left. */
  private boolean lastStart(ModelJob job, int attempt) {
    int allowed = attemptsAllowed(job);
    return allowed != JobRequest.UNLIMITED && attempt - job.uncounted >= allowed;
  }

  void end(ModelJob job, JobState how) {
    if (how != JobState.DISCARDED) {
      job.uncounted += job.deaths();
    }
    if (how == JobState.EXPIRED && job.state == JobState.RUNNING) {
      // The claim has counted an attempt, but the handler was not called.
      job.attempt--;
    }
    job.state = how;
    job.waitsFor = null;
    job.owner = 0;
    job.lives++;
    order.ended(job);
    if (how == JobState.COMPLETED && job.queue.equals(UNKEPT)) {
      job.gone = true;
    }
  }

  /** Applies the outcome of an attempt whose handler has returned. */
  void judged(ModelJob job, Outcome outcome) {
    job.failures++;
    if (outcome instanceof Outcome.Retry retry) {
      job.uncounted += job.deaths() + (retry.counted() ? 0 : 1);
      job.crashes = null;
      putOff(job, retry.pause().toMillis());
    } else {
      end(job, outcome instanceof Outcome.Cancelled ? JobState.CANCELLED : JobState.DISCARDED);
    }
  }

  /** Makes the job due after a pause. The job gets a new position. */
  private void putOff(ModelJob job, long pause) {
    job.fence++;
    job.owner = 0;
    job.due = now + pause;
    job.dueWithin = 900;
    free(job, nextPlace());
  }

  /** Postpones a job that a node cannot start yet. */
  void postpone(ModelJob job) {
    job.attempt--;
    putOff(job, StepNode.POSTPONEMENT.toMillis());
  }

  /** Releases a job that a node has leased but does not start. */
  void giveBack(ModelJob job) {
    job.attempt--;
    release(job);
  }

  /** Releases a job whose changes were rolled back because of another job. */
  void undo(ModelJob job) {
    job.uncounted++;
    release(job);
  }

  /**
   * Makes a job available again at its earlier position. If the job was leased as the next job of a
   * group, it waits for the group again.
   */
  private void release(ModelJob job) {
    job.fence++;
    job.owner = 0;
    if (job.waitsFor == Waits.GROUP) {
      job.state = JobState.BLOCKED;
      order.added(job);
    } else {
      job.state = JobState.AVAILABLE;
    }
  }

  /** Returns true if a lease is so old that its node must know of it. */
  boolean established(ModelJob job) {
    return now - job.claimedAt >= ARRIVES_WITHIN;
  }

  /**
   * Performs all maintenance that is possible now.
   *
   * @param cancelled returns true if a job that had expired and was also to be cancelled became
   *     CANCELLED
   */
  void maintain(int by, Predicate<ModelJob> cancelled) {
    nodes.values().stream()
        .filter(node -> !node.ended() && now - node.beat >= LEASE)
        .filter(node -> nodes.get(by).mayDeclareDead(node, now))
        .forEach(node -> node.state = NodeLife.DEAD);
    takeOver();
    long place = nextPlace();
    for (ModelJob job : jobs(j -> j.state == JobState.SCHEDULED && j.due <= now)) {
      makeAvailable(job, place);
    }
    for (ModelJob job : jobs(j -> j.waits() && j.expired(now))) {
      end(job, ripe(job) && cancelled.test(job) ? JobState.CANCELLED : JobState.EXPIRED);
    }
    for (ModelJob job : jobs(this::ripe)) {
      if (job.waits()) {
        end(job, JobState.CANCELLED);
      }
      if (!job.live()) {
        job.cancellationRequested = null;
      }
    }
  }

  private boolean ripe(ModelJob job) {
    return job.cancellationRequested != null && now - job.cancellationRequested >= REQUEST_KEPT;
  }

  private void takeOver() {
    for (ModelJob job : jobs(j -> j.live() && j.state == JobState.RUNNING && !j.locked)) {
      ModelNode node = nodes.get(job.owner);
      boolean late = node.steady(job.claimedAt, ALLOWED + OVERDUE_GRACE, now);
      if (node.ended() && !hasStarted(job)) {
        notStarted(job, node);
      } else if (node.dead()) {
        crashed(job);
      } else if (node.ended()) {
        stopped(job);
      } else if (late) {
        late(job);
      }
    }
  }

  /**
   * Returns true if the handler of the job counts as started. The first job of a lease counts as
   * started, unless its start is always recorded.
   */
  private boolean hasStarted(ModelJob job) {
    return job.begun || (job.first && attemptsAllowed(job) != 1 && job.crashes == null);
  }

  private void notStarted(ModelJob job, ModelNode node) {
    if (node.dead() && job.crashes == null) {
      job.crashes = 0;
    }
    giveBack(job);
  }

  /** Charges a job with the death of its node, because the job was running at that time. */
  private void crashed(ModelJob job) {
    job.failures++;
    int allowed = attemptsAllowed(job);
    if (allowed != JobRequest.UNLIMITED && job.deaths() + 1 >= allowed) {
      end(job, JobState.DISCARDED);
    } else {
      job.crashes = job.deaths() + 1;
      release(job);
    }
  }

  /** Releases or discards a job whose node has stopped without waiting for it. */
  private void stopped(ModelJob job) {
    job.failures++;
    if (attemptsAllowed(job) == 1) {
      end(job, JobState.DISCARDED);
    } else {
      job.uncounted++;
      release(job);
    }
  }

  private void late(ModelJob job) {
    job.failures++;
    if (lastStart(job, job.attempt)) {
      end(job, JobState.DISCARDED);
      return;
    }
    long pause = 1_000L << (job.attempt - job.uncounted - 1);
    if (job.waitsFor == Waits.GROUP) {
      release(job);
      job.due = now + pause;
      job.dueWithin = 900;
    } else {
      putOff(job, pause);
    }
    job.dueWithin += pause / 5;
  }

  /**
   * Cancels a job that waits for no other jobs, and requests the cancellation of any other job.
   * Returns true if the job has ended.
   */
  boolean cancel(ModelJob job) {
    if (job.state == JobState.RUNNING) {
      requestCancellation(job);
      return false;
    }
    if (job.state == JobState.BLOCKED) {
      order.cancel(job);
      return false;
    }
    end(job, JobState.CANCELLED);
    job.cancellationRequested = null;
    return true;
  }

  void requestCancellation(ModelJob job) {
    if (job.cancellationRequested == null) {
      job.cancellationRequested = now;
    }
  }

  boolean resettable(ModelJob job) {
    return !job.gone && job.endedBadly() && holderOf(job.key) == null;
  }

  /** Returns the jobs that would have waited for the given job if it had not ended. */
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
    job.crashes = null;
    job.fence++;
    job.cancellationRequested = null;
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

  /** Returns what a reset job waits for first. */
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

  /** Makes a job due at a later time, or immediately. */
  void reschedule(ModelJob job, long moment) {
    if (moment > now) {
      job.due = moment;
      job.dueWithin = 900;
      job.state = JobState.SCHEDULED;
      job.place = 0;
    } else if (job.state == JobState.SCHEDULED) {
      runNow(job);
    }
  }

  void delete(ModelJob job) {
    job.gone = true;
    job.failures = 0;
    job.after.clear();
    job.cancellationRequested = null;
    order.deleted(job);
  }

  /** Returns true if the node was declared dead. */
  boolean dead(int node) {
    return nodes.get(node).dead();
  }
}
