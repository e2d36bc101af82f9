package org.readpast.faults;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Contains all that is known about a run: the observations of components outside the queue, and the
 * contents of its tables at the end. Times are in microseconds since 1970 by the machine's clock,
 * which producers, collector and database share.
 *
 * @param live the jobs that were left in the queue after the system had time to finish
 */
public record Story(
    List<Asked> asked,
    List<Begun> begun,
    List<Over> over,
    List<EndedJob> ended,
    List<Freed> freed,
    List<Effect> effects,
    List<Planned> planned,
    List<Injected> faults,
    List<String> live) {

  /** Identifies the response that a producer received to its request. */
  public enum Answer {
    /** The job was enqueued. */
    OK,
    /** A live job had the unique key. */
    MERGED,
    /** The job was not enqueued. */
    REFUSED,
    /** No response arrived, or a response that leaves both possible. */
    UNKNOWN
  }

  /** Lists the kinds of work that a handler does. */
  public enum Work {
    /** The row and the end of the job are in one transaction. */
    TRANSACTIONAL("faults.transactional", true),
    /** The row is committed immediately. */
    LEASED("faults.leased", false),
    /**
     * The job is LEASED like those of {@link #LEASED}, and so short that hundreds begin at the same
     * time. The job writes no row.
     */
    QUICK("faults.quick", false),
    /** Represents a TRANSACTIONAL job of the second application. */
    OTHER_TRANSACTIONAL("other.transactional", true),
    /** Represents a LEASED job of the second application. */
    OTHER_LEASED("other.leased", false);

    private final String type;
    private final boolean transactional;

    Work(String type, boolean transactional) {
      this.type = type;
      this.transactional = transactional;
    }

    /**
     * Returns the kind of work in an application.
     *
     * @param application the number of the application, 0 or 1
     */
    static Work of(int application, boolean transactional) {
      return application == 0
          ? transactional ? TRANSACTIONAL : LEASED
          : transactional ? OTHER_TRANSACTIONAL : OTHER_LEASED;
    }

    String type() {
      return type;
    }
  }

  /**
   * A job as a producer has requested it.
   *
   * @param n the number of the job, which the producer assigned
   * @param request the number of the request, which may enqueue several jobs
   * @param after the numbers of jobs that must have succeeded before this job begins
   */
  public record Spec(
      int n,
      int request,
      String queue,
      Work work,
      int priority,
      @Nullable String group,
      @Nullable String batch,
      int wave,
      List<Integer> after,
      @Nullable String uniqueKey,
      boolean poison,
      int maxAttempts) {
    boolean transactional() {
      return work.transactional;
    }

    /** Returns true if this job is claimed before the other one when both wait. */
    boolean goesBefore(Spec other) {
      return queue.equals(other.queue)
          && work == other.work
          && (priority > other.priority || (priority == other.priority && n < other.n));
    }

    /**
     * Returns true if the job is enqueued outside a transaction, provided that it is the only job
     * of the request.
     */
    boolean withoutTransaction() {
      boolean plain = group == null && batch == null && after.isEmpty() && uniqueKey == null;
      return plain && n % 2 == 0;
    }
  }

  /** Records a request for a job. */
  public record Asked(Spec spec, Answer answer, long begun, long answered) {
    int n() {
      return spec.n();
    }
  }

  /**
   * Records the start of a handler. The number of the attempt is the fence of a job, because each
   * delivery has the next number.
   */
  public record Begun(int n, int attempt, String server, long at) {}

  /**
   * Records the end of a handler, with or without an exception, before the end of the job was
   * stored.
   */
  public record Over(int n, int attempt, String server, boolean well, long at) {}

  /** Describes a job in its final state. */
  public record EndedJob(
      int n, String state, int attempt, int uncounted, int crashes, long enqueued, long ended) {
    int counted() {
      return attempt - uncounted;
    }

    boolean well() {
      return state.equals("COMPLETED");
    }
  }

  /**
   * Records the time at which a job was taken over from a dead owner, so that any node may claim
   * it.
   */
  public record Freed(int n, long at) {}

  /**
   * Identifies a row that a handler wrote; a transactional handler writes it in its own
   * transaction.
   */
  public record Effect(int n, int attempt) {}

  /**
   * Holds a planned time at which a schedule had to create one job, and the number of jobs that
   * exist.
   */
  public record Planned(long moment, int jobs) {}

  /**
   * Describes a fault that was injected.
   *
   * @param server the server that was hit, or null for the database or all servers
   */
  public record Injected(String kind, @Nullable String server, long begun, long over) {
    /** Names the faults in which a server was killed, or killed itself. */
    static final String KILL = "server killed";

    /** Names a fault without visible effect, except that dead rows cannot be removed. */
    static final String HORIZON = "horizon held";

    // Faults that end immediately, or only slow the system down.
    private static final Set<String> PASSING =
        Set.of(
            "backend terminated",
            "connections reset",
            "cut after commit",
            "slow network",
            "clock stepped",
            HORIZON);

    /** Returns true if the fault delays the server that it hits. */
    boolean isGrave() {
      return !PASSING.contains(kind);
    }

    boolean within(long from, long to) {
      return begun <= to && over >= from;
    }

    boolean hits(String one) {
      return server == null || server.equals(one);
    }
  }
}
