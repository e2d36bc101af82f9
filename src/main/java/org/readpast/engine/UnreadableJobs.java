package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Transactions;
import org.readpast.model.Failure;
import org.readpast.model.StoredType;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Failures;
import org.readpast.store.Registrations;
import org.readpast.store.ReleaseStore;

/**
 * Postpones jobs whose payload this node cannot read. A job with an unreadable payload has not
 * failed: another version of the application may be able to read it, now or later. Therefore no
 * attempt of an unreadable job is counted, and the job does not become a dead letter.
 */
final class UnreadableJobs {
  private static final Logger LOG = System.getLogger(UnreadableJobs.class.getName());
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  // The upper limit of the pause if another node may be able to read the job. This node skips lanes
  // that it cannot read, so the other node soon claims the job.
  private static final Duration LONGEST_FOR_OTHERS = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  // A lost key may affect many jobs, and nodes do not skip the lanes of encrypted jobs.
  private static final Duration LONGEST_ENCRYPTED = Duration.ofMinutes(15);

  private final ReleaseStore releases;
  private final Failures failures;
  private final Registrations registrations;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  UnreadableJobs(Transactions transactions, ReleaseStore releases, Failures failures) {
    this.releases = releases;
    this.failures = failures;
    this.registrations = new Registrations(transactions);
  }

  /**
   * Describes a postponed job.
   *
   * @param readableElsewhere true if another live node may be able to read the job
   */
  record Postponed(Duration pause, boolean readableElsewhere, Failure failure) {}

  /** Postpones a job in the current transaction; returns null if this node no longer owns it. */
  @Nullable Postponed postpone(ClaimedJob job, Failure failure, int node) {
    // A node does not know which keys other nodes have, so it sets the pause as if no other node
    // could read the job.
    boolean elsewhere = job.encrypted() == null && registrations.readableElsewhere(node, job);
    Duration pause = pause(job, elsewhere ? LONGEST_FOR_OTHERS : longest(job));
    if (!releases.postpone(job, pause)) {
      return null;
    }
    failures.recordUnreadable(job, node, failure);
    if (!elsewhere) {
      registrations.unreadable(node, job);
    }
    return new Postponed(pause, elsewhere, failure);
  }

  private static Duration longest(ClaimedJob job) {
    return job.encrypted() == null ? LONGEST : LONGEST_ENCRYPTED;
  }

  /**
   * Returns half of the time that the job has waited so far, within limits. The pauses therefore
   * grow without stored state.
   */
  private static Duration pause(ClaimedJob job, Duration longest) {
    Duration half = Duration.between(job.enqueuedAt(), job.startedAt()).dividedBy(2);
    return half.compareTo(SHORTEST) < 0 ? SHORTEST : half.compareTo(longest) > 0 ? longest : half;
  }

  /**
   * Logs that a job was postponed: as a WARNING once for each type that no live node can read,
   * otherwise at DEBUG.
   */
  void log(ClaimedJob job, Postponed postponed) {
    boolean encrypted = job.encrypted() != null;
    if (postponed.readableElsewhere()
        || !warned.add(job.type() + (encrypted ? " encrypted" : ""))) {
      LOG.log(
          Level.DEBUG,
          "job {0} of type {1} is postponed by {2}: {3}",
          Long.toString(job.id()),
          job.type(),
          postponed.pause(),
          postponed.failure().line());
      return;
    }
    if (encrypted) {
      LOG.log(
          Level.WARNING,
          "READPAST-0063 this node cannot decrypt job {0}, type {1}, in queue ''{2}'': {3}."
              + " Such jobs wait, no attempt is counted, and the jobs are retried at least every"
              + " {4}",
          Long.toString(job.id()),
          StoredType.of(job.type()),
          job.queue(),
          job.encrypted(),
          LONGEST_ENCRYPTED);
      return;
    }
    LOG.log(
        Level.WARNING,
        "READPAST-0034 no live node can read the payload of job {0}, type {1}, in queue"
            + " ''{2}''. Such jobs wait, no attempt is counted, and the jobs are retried at"
            + " least every {3}. Deploy a version of the application that reads these jobs, for"
            + " example with @Upcasts, or move the jobs to another type. Cause: {4}",
        Long.toString(job.id()),
        StoredType.of(job.type()),
        job.queue(),
        LONGEST,
        postponed.failure().line());
  }
}
