package org.readpast.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.NodeView;
import org.readpast.admin.store.OverviewReads;
import org.readpast.admin.store.QueueView;
import org.readpast.admin.store.SystemReads;
import org.readpast.api.JobState;
import org.readpast.database.Transactions;
import org.readpast.model.QueueAccess;

/**
 * Summarizes the state of the system: durations, backlog, active nodes, and problems that need
 * attention.
 */
public final class Overview implements Scoped<Overview> {
  private static final int DEPTH_MINUTES = 60;
  private static final int TIMES_MINUTES = 5;
  private static final Duration OVERDUE = Duration.ofMinutes(5);
  private static final Duration LONG_TRANSACTION = Duration.ofMinutes(10);

  private final Transactions transactions;
  private final OverviewReads reads;
  private final SystemReads system;

  private final QueueAccess access;

  public Overview(Transactions transactions) {
    this(transactions, QueueAccess.EVERYTHING);
  }

  private Overview(Transactions transactions, QueueAccess access) {
    this.transactions = transactions;
    this.access = access;
    this.reads = new OverviewReads(transactions, access.seen());
    this.system = new SystemReads(transactions, access.seen());
  }

  @Override
  public Overview within(QueueAccess caller) {
    return new Overview(transactions, caller);
  }

  /**
   * Describes a problem that needs attention.
   *
   * @param kind the kind of problem
   * @param about the queue, job type or node; null if there are several
   * @param number the number of cases, or a duration in ms
   */
  public record Notice(Kind kind, @Nullable String about, long number) {}

  /** Lists the kinds of problems. */
  public enum Kind {
    /** No node is running. */
    NO_NODE,
    /** There are discarded jobs, counted up to a limit. */
    DISCARDED,
    /** There are discarded jobs that hold a wave. */
    HELD_WAVES,
    /** There are discarded jobs that hold a group. */
    HELD_GROUPS,
    /** An operator holds batches. */
    HELD_BATCHES,
    /** The oldest job of a queue is overdue; the number is its delay in ms. */
    OVERDUE,
    /**
     * No node handles the type of AVAILABLE jobs; the number is how long the oldest of them has
     * been due, in ms.
     */
    NOT_WORKED,
    /** A job type has jobs that no live node can read. */
    UNREADABLE,
    /** A queue is paused. */
    PAUSED,
    /** A node has died in the last 24 hours. */
    DEAD_NODE,
    /** A transaction holds back vacuum; the number is how long it has done so, in ms. */
    OLD_TRANSACTION
  }

  /**
   * Describes a queue.
   *
   * @param oldestMillis how long the oldest job has been due, or null if no job is due
   * @param perSecond the number of jobs per second that ended or failed in the last minute
   * @param depths the depth of the queue in each minute of the last hour, oldest first: the number
   *     of AVAILABLE jobs and of RUNNING jobs that kept their position; empty if the queue was
   *     always empty
   */
  public record Queue(
      QueueView view, @Nullable Long oldestMillis, double perSecond, long[] depths) {}

  /** Combines all parts of the overview. */
  public record Report(
      OverviewReads.Taken taken,
      Map<JobState, SystemReads.Total> counts,
      List<Queue> queues,
      List<NodeView> nodes,
      List<Notice> attention) {}

  /** Returns the current state of the system. */
  public Report report() {
    return transactions.required(
        () -> {
          List<Queue> queues = queues(system.queues());
          List<NodeView> nodes = system.nodes(false);
          Map<JobState, SystemReads.Total> counts =
              system.totals(queues.stream().map(Queue::view).toList());
          return new Report(
              reads.taken(TIMES_MINUTES),
              counts,
              queues,
              nodes.stream().filter(Overview::live).filter(node -> access.isGeneral()).toList(),
              attention(counts, queues, nodes));
        });
  }

  /** Returns every queue, ordered by name. */
  public List<Queue> queues() {
    return transactions.required(() -> queues(system.queues()));
  }

  /**
   * Returns the number of jobs of each queue in each state. For each live state, it also returns
   * how many ms the oldest job has been due, waiting or running.
   */
  public List<QueueView> depths() {
    return transactions.required(
        () -> {
          List<QueueView> queues = system.queues();
          Map<String, Long> oldest = reads.oldest();
          for (QueueView queue : queues) {
            Long millis = oldest.get(queue.settings().name());
            if (millis != null) {
              queue.oldestMillis().put(JobState.AVAILABLE, millis);
            }
          }
          return queues;
        });
  }

  /** Returns values that change whenever something has happened in the visible queues. */
  public OverviewReads.Pulse pulse() {
    return transactions.required(reads::pulse);
  }

  private List<Queue> queues(List<QueueView> views) {
    Map<String, Long> oldest = reads.oldest();
    Map<String, Double> rates = reads.rates();
    Map<String, long[]> depths = reads.depths(DEPTH_MINUTES);
    return views.stream()
        .map(
            view -> {
              String name = view.settings().name();
              return new Queue(
                  view,
                  oldest.get(name),
                  rates.getOrDefault(name, 0.0),
                  depths.getOrDefault(name, new long[0]));
            })
        .toList();
  }

  private static boolean live(NodeView node) {
    return node.state().equals("ACTIVE") || node.state().equals("STOPPING");
  }

  private List<Notice> attention(
      Map<JobState, SystemReads.Total> counts, List<Queue> queues, List<NodeView> nodes) {
    List<Notice> notices = new ArrayList<>();
    if (nodes.stream().noneMatch(Overview::live)) {
      notices.add(new Notice(Kind.NO_NODE, null, 0));
    }
    SystemReads.Total total = counts.get(JobState.DISCARDED);
    long discarded = total == null ? 0 : total.count();
    if (discarded > 0) {
      notices.add(new Notice(Kind.DISCARDED, null, discarded));
    }
    OverviewReads.Holds holds = reads.holds();
    if (holds.waves() > 0) {
      notices.add(new Notice(Kind.HELD_WAVES, null, holds.waves()));
    }
    if (holds.groups() > 0) {
      notices.add(new Notice(Kind.HELD_GROUPS, null, holds.groups()));
    }
    if (holds.batches() > 0) {
      notices.add(new Notice(Kind.HELD_BATCHES, null, holds.batches()));
    }
    reads
        .notWorked()
        .forEach((type, millis) -> notices.add(new Notice(Kind.NOT_WORKED, type, millis)));
    reads.unreadable().forEach(type -> notices.add(new Notice(Kind.UNREADABLE, type, 0)));
    for (Queue queue : queues) {
      String name = queue.view().settings().name();
      if (queue.view().settings().paused()) {
        notices.add(new Notice(Kind.PAUSED, name, 0));
      } else if (queue.oldestMillis() != null && queue.oldestMillis() > OVERDUE.toMillis()) {
        notices.add(new Notice(Kind.OVERDUE, name, queue.oldestMillis()));
      }
    }
    if (!access.isGeneral()) {
      return notices;
    }
    for (NodeView node : nodes) {
      if (node.state().equals("DEAD")) {
        notices.add(new Notice(Kind.DEAD_NODE, node.name(), node.takenOver()));
      }
    }
    OverviewReads.OldTransaction old = reads.oldestTransaction();
    if (old != null && old.millis() > LONG_TRANSACTION.toMillis()) {
      notices.add(new Notice(Kind.OLD_TRANSACTION, old.application(), old.millis()));
    }
    return notices;
  }
}
