package org.readpast.faults;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about a run: the observations of components outside of the queue, and
 * the contents of its tables at the end. Times are microseconds since 1970 by the machine's clock,
 * which producers, collector and database share.
 *
 * @param live jobs that are left in the queue after the system had time to finish
 */
public record Story(
    List<Asked> asked,
    List<Begun> begun,
    List<Over> over,
    List<Ended> ended,
    List<Freed> freed,
    List<Effect> effects,
    List<Planned> planned,
    List<Injected> faults,
    List<String> live) {

  /** The answer that a producer received to its request. */
  public enum Answer {
    /** The job is enqueued. */
    OK,
    /** A live job has its unique key. */
    MERGED,
    /** The job is not enqueued. */
    REFUSED,
    /** No answer arrived, or one that leaves both possible. */
    UNKNOWN
  }

  /** The work of a job. */
  public enum Work {
    /** The row and the end of the job are one transaction. */
    TRANSACTIONAL("faults.transactional", true),
    /** The row is committed immediately. */
    LEASED("faults.leased", false),
    /** Leased too, and so short that hundreds begin in one moment. It leaves no row. */
    QUICK("faults.quick", false),
    /** A transactional job of the second application. */
    OTHER_TRANSACTIONAL("other.transactional", true),
    /** A leased job of the second application. */
    OTHER_LEASED("other.leased", false);

    private final String type;
    private final boolean transactional;

    Work(String type, boolean transactional) {
      this.type = type;
      this.transactional = transactional;
    }

    /**
     * Returns the work that leaves a row.
     *
     * @param application 0 or 1
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
   * A job as a producer requested it.
   *
   * @param n the number of the job, assigned by the producer
   * @param request the number of the request, which may enqueue several jobs
   * @param after numbers of jobs that must have succeeded before this one begins
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

    /** Returns true if this job is claimed before the other when both wait. */
    boolean goesBefore(Spec other) {
      return queue.equals(other.queue)
          && work == other.work
          && (priority > other.priority || (priority == other.priority && n < other.n));
    }

    /** Returns true if the job is enqueued without a transaction when it is requested alone. */
    boolean withoutTransaction() {
      boolean plain = group == null && batch == null && after.isEmpty() && uniqueKey == null;
      return plain && n % 2 == 0;
    }
  }

  /** A request for a job. */
  public record Asked(Spec spec, Answer answer, long begun, long answered) {
    int n() {
      return spec.n();
    }
  }

  /**
   * The start of a handler. Its attempt is its fence, because each delivery has the next number.
   */
  public record Begun(int n, int attempt, String server, long at) {}

  /** The end of a handler, with or without an exception, before the end of the job is stored. */
  public record Over(int n, int attempt, String server, boolean well, long at) {}

  /** A job in its final state. */
  public record Ended(
      int n, String state, int attempt, int uncounted, int crashes, long enqueued, long ended) {
    int counted() {
      return attempt - uncounted;
    }

    boolean well() {
      return state.equals("COMPLETED");
    }
  }

  /** The moment at which a job was taken from a dead owner, so that any node may claim it. */
  public record Freed(int n, long at) {}

  /** A row that a handler wrote; a transactional handler writes it in its own transaction. */
  public record Effect(int n, int attempt) {}

  /**
   * A planned time for which a schedule was to create one job, and the number of jobs that exist.
   */
  public record Planned(long moment, int jobs) {}

  /**
   * A fault that was injected.
   *
   * @param server the server that it hit; null for the database, or all servers
   */
  public record Injected(String kind, @Nullable String server, long begun, long over) {
    /** The kind of a fault in which a server was killed, or killed itself. */
    static final String KILL = "server killed";

    /** A fault without visible effect, except that dead rows cannot be cleaned up. */
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

    /** Returns true if the fault holds up the server that it hits. */
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
