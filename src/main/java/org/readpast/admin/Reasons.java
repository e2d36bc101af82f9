package org.readpast.admin;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.BatchReads;
import org.readpast.admin.store.JobView;
import org.readpast.admin.store.ReasonReads;
import org.readpast.admin.store.ReasonReads.Facts;
import org.readpast.admin.store.ReasonReads.Workers;
import org.readpast.api.JobState;
import org.readpast.database.Transactions;
import org.readpast.engine.Settings;
import org.readpast.model.Names;
import org.readpast.model.QueueScope;

/**
 * Explains why a live job does not run. The first reasons name what the job waits for, and the
 * others what would keep it waiting afterwards. Times are in ISO 8601 format and in UTC.
 */
public final class Reasons {
  private static final int LONGEST_CAUSE = 300;

  private final ReasonReads reads;
  private final BatchReads batches;
  private final Supplier<@Nullable Settings> configured;

  /**
   * @param configured returns this node's configuration, which applies to queues without settings
   *     in the database, or null if it is not known yet
   */
  public Reasons(Transactions transactions, Supplier<@Nullable Settings> configured) {
    this.reads = new ReasonReads(transactions);
    this.batches = new BatchReads(transactions, QueueScope.ALL);
    this.configured = configured;
  }

  /**
   * Reads the reasons in the current transaction; there are none for a job that is running or has
   * ended.
   *
   * @param seen the visible queues; the reasons reveal nothing about jobs of other queues
   */
  List<String> of(JobView job, QueueScope seen) {
    if (job.state() == JobState.RUNNING || job.state().ended()) {
      return List.of();
    }
    Facts facts = reads.facts(job.id());
    if (facts == null) {
      return List.of();
    }
    List<String> reasons = new ArrayList<>();
    if (facts.batchCancelled()) {
      reasons.add(
          "batch '" + job.batch() + "' is being cancelled, and this job will be cancelled with it");
    }
    if (job.state() == JobState.SCHEDULED) {
      reasons.add(scheduled(job, facts));
    } else if (job.state() == JobState.BLOCKED) {
      blocked(job, facts, reasons, seen);
    }
    boolean stuck = !reasons.isEmpty();
    queue(job, facts, reasons, stuck);
    return reasons;
  }

  private static String scheduled(JobView job, Facts facts) {
    String moment = job.availableAt().truncatedTo(ChronoUnit.MILLIS).toString();
    if (facts.due()) {
      return "due since " + moment + ": any running node makes it AVAILABLE within seconds";
    }
    String misread = facts.unreadable();
    if (misread != null) {
      return "no node that has claimed the job can read its payload ("
          + Names.excerpt(misread, LONGEST_CAUSE)
          + "); it is retried at "
          + moment
          + ": deploy an application that reads it, or move the job to another type";
    }
    return job.attempt() > 0
        ? "waiting for its next attempt: "
            + job.attempt()
            + " so far, the next one is due at "
            + moment
        : "scheduled for " + moment;
  }

  private void blocked(JobView job, Facts facts, List<String> reasons, QueueScope seen) {
    int before = reasons.size();
    Long batch = facts.batch();
    Integer wave = job.wave();
    String group = job.group();
    String waitsFor = job.waitsFor();
    if ("PREDECESSOR".equals(waitsFor)) {
      predecessors(job, reasons, seen);
    } else if ("WAVE".equals(waitsFor) && batch != null && wave != null) {
      if (facts.batchHeld()) {
        reasons.add("batch '" + job.batch() + "' was put on hold by an operator: release it");
      }
      if (seesBatch(job, seen)) {
        waves(job, batch, wave, reasons);
      } else {
        reasons.add(
            "wave "
                + wave
                + " waits for jobs of lower waves in queues that your roles do not cover");
      }
    } else if ("GROUP".equals(waitsFor) && group != null) {
      group(job, group, reasons);
    }
    if (reasons.size() == before) {
      reasons.add(
          "all jobs that it waited for have ended: a running node releases it within seconds");
    }
  }

  /** Returns false if the batch has jobs in queues that the caller does not see. */
  private boolean seesBatch(JobView job, QueueScope seen) {
    return seen.isAll() || batches.outside(List.of(String.valueOf(job.batch())), seen).isEmpty();
  }

  private void predecessors(JobView job, List<String> reasons, QueueScope seen) {
    List<ReasonReads.Awaited> some = reads.predecessors(job.id(), seen);
    for (ReasonReads.Awaited one : some) {
      if (one.hidden()) {
        reasons.add("waits for a job in a queue that your roles do not cover");
      } else if (one.endedAs() != null) {
        reasons.add(
            "waits for job "
                + one.id()
                + ", which has ended as "
                + one.endedAs()
                + ": reset that job, or cancel this one");
      } else {
        reasons.add(
            "waits for job "
                + one.id()
                + (one.state() == null ? ", which has just ended" : ", which is " + one.state()));
      }
    }
    if (!some.isEmpty() && some.get(0).many() > some.size()) {
      reasons.add("waits for " + many(some.get(0).many() - some.size()) + " more");
    }
  }

  private void waves(JobView job, long batch, int wave, List<String> reasons) {
    for (ReasonReads.Wave lower : reads.lowerWaves(batch, wave)) {
      reasons.add(
          "wave "
              + wave
              + " waits for "
              + lower.live()
              + (lower.live() == 1 ? " job" : " jobs")
              + " of wave "
              + lower.number());
    }
    List<ReasonReads.Holder> holders = reads.waveHolds(batch, wave);
    for (ReasonReads.Holder holder : holders) {
      reasons.add(
          "wave "
              + wave
              + " is held by job "
              + holder.id()
              + " of wave "
              + holder.wave()
              + ", which was discarded: reset it, or skip the failure of batch '"
              + job.batch()
              + "'");
    }
    if (!holders.isEmpty() && holders.get(0).many() > holders.size()) {
      reasons.add(
          "wave " + wave + " is held by " + many(holders.get(0).many() - holders.size()) + " more");
    }
  }

  private void group(JobView job, String group, List<String> reasons) {
    for (long holder : reads.groupHolds(job.queue(), group, job.id())) {
      reasons.add(
          "group '"
              + group
              + "' is held by job "
              + holder
              + ", which was discarded: reset it, or skip the failure of the group");
    }
    List<ReasonReads.Active> active = reads.groupActive(job.queue(), group);
    ReasonReads.Turn turn = reads.groupTurn(job.queue(), group, job.id());
    if (!active.isEmpty()) {
      reasons.add(
          "group '"
              + group
              + "' is busy with "
              + active.stream()
                  .map(one -> "job " + one.id() + ", which is " + one.state())
                  .collect(Collectors.joining("; "))
              + " (limit "
              + turn.limit()
              + ")");
    }
    if (turn.before() > 0) {
      reasons.add("waits for its turn after " + many(turn.before()) + " of group '" + group + "'");
    }
  }

  private void queue(JobView job, Facts facts, List<String> reasons, boolean stuck) {
    String queue = job.queue();
    Settings settings = configured.get();
    Settings.QueueSettings own = settings == null ? null : settings.queue(queue);
    Integer over = facts.globalConcurrency();
    int concurrency = concurrency(facts, settings, own);
    Workers workers =
        reads.workers(
            queue,
            job.storedType().stored(),
            concurrency,
            settings == null ? Integer.MAX_VALUE : settings.workers());
    int before = reasons.size();
    if (facts.paused()) {
      reasons.add("queue '" + queue + "' is paused: resume it");
    }
    if (concurrency == 0) {
      reasons.add("the concurrency of queue '" + queue + "' is 0: raise it");
    }
    if (over != null && over == 0) {
      reasons.add("the concurrency of queue '" + queue + "' over all nodes is 0: raise it");
    }
    TypeLimitReasons type = new TypeLimitReasons(reads, settings, job.storedType().stored());
    type.addIfZero(reasons);
    if (workers.taking() == 0) {
      reasons.add("no node claims jobs: start an application that runs the engine");
    } else if (workers.handling() == 0) {
      reasons.add(
          "no node handles type "
              + job.storedType()
              + ": start an application that has a handler for it");
    } else if (workers.serving() == 0) {
      reasons.add(
          "no node that handles type "
              + job.storedType()
              + " serves queue '"
              + queue
              + "': add the queue to readpast.worker.queues of such a node");
    }
    Long position = facts.position();
    if (!stuck && reasons.size() == before && position != null) {
      type.addIfReached(workers.serving(), reasons);
      turn(job, position, over, concurrency, workers, reasons);
    }
  }

  private static int concurrency(
      Facts facts, @Nullable Settings settings, Settings.@Nullable QueueSettings own) {
    if (facts.concurrency() != null) {
      return facts.concurrency();
    }
    if (own != null && own.concurrency() != null) {
      return own.concurrency();
    }
    return settings == null ? Integer.MAX_VALUE : settings.concurrency();
  }

  private void turn(
      JobView job,
      long position,
      @Nullable Integer over,
      int concurrency,
      Workers workers,
      List<String> reasons) {
    if (over != null && workers.inWork() >= over) {
      reasons.add(
          "limit reached: queue '"
              + job.queue()
              + "' may run "
              + over
              + " jobs on all nodes together, and does");
    } else if (workers.free() == 0) {
      reasons.add(
          "limit reached: all allowed receivers are busy, for queue '"
              + job.queue()
              + "' (up to "
              + concurrency
              + " on each node) or for all queues");
    }
    long ahead = reads.ahead(job.queue(), job.storedType().stored(), job.priority(), position);
    if (ahead > 0) {
      reasons.add(
          "waits for its turn: "
              + many(ahead)
              + " of the same queue, type and priority, or of a higher priority, are"
              + " ahead of it");
    } else if (reasons.isEmpty()) {
      reasons.add("it is next: a node claims it at its next poll");
    }
  }

  private static String many(long jobs) {
    if (jobs >= ReasonReads.MOST_COUNTED) {
      return "1,000 or more jobs";
    }
    return jobs + (jobs == 1 ? " job" : " jobs");
  }
}
