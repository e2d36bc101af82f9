package org.readpast.faults;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a run, by people outside of the queue, and what its tables say at the end.
 * Moments are microseconds since 1970 by the machine's clock, which producers, collector and
 * database share.
 *
 * @param live jobs that are left in the queue after it was given time to finish
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

  /** What a producer heard of its request. */
  public enum Answer {
    /** It is enqueued. */
    OK,
    /** A live job has its unique key. */
    MERGED,
    /** It is not enqueued. */
    REFUSED,
    /** No answer came, or one that says neither. */
    UNKNOWN
  }

  /** What a job does. */
  public enum Work {
    /** Its row and its end are one transaction. */
    TRANSACTIONAL("faults.transactional", true),
    /** Its row is committed at once. */
    LEASED("faults.leased", false),
    /** Leased too, and so short that hundreds are begun at once; it leaves no row. */
    QUICK("faults.quick", false),
    /** As the first, of the second application. */
    OTHER_TRANSACTIONAL("other.transactional", true),
    /** As the second, of the second application. */
    OTHER_LEASED("other.leased", false);

    private final String type;
    private final boolean transactional;

    Work(String type, boolean transactional) {
      this.type = type;
      this.transactional = transactional;
    }

    /**
     * What leaves a row.
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
   * A job as a producer asked for it.
   *
   * @param n of the job, given by the producer
   * @param request of the request, which may ask for several
   * @param after numbers of jobs that must have ended well before this one begins
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

    /** Whether it is claimed before the other, where both wait. */
    boolean goesBefore(Spec other) {
      return queue.equals(other.queue)
          && work == other.work
          && (priority > other.priority || (priority == other.priority && n < other.n));
    }

    /** Whether it is enqueued without a transaction, if it is asked for alone. */
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

  /** A handler has begun; its attempt is its fence, as each delivery has the next number. */
  public record Begun(int n, int attempt, String server, long at) {}

  /** A handler is through, well or with an exception; its end is not stored yet. */
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

  /** A job was taken from a dead owner, and is anybody's again. */
  public record Freed(int n, long at) {}

  /** A row that a handler wrote: a transactional one in its own transaction. */
  public record Effect(int n, int attempt) {}

  /** A moment for which a schedule was to make one job, and how many there are. */
  public record Planned(long moment, int jobs) {}

  /**
   * Something that was done to the system.
   *
   * @param server whom it hit; null: the database, or all
   */
  public record Injected(String kind, @Nullable String server, long begun, long over) {
    /** Of a server that was killed, or killed itself. */
    static final String KILL = "server killed";

    /** Nobody notices, but for what cannot be cleaned up. */
    static final String HORIZON = "horizon held";

    // Over at once, or no more than slow.
    private static final Set<String> PASSING =
        Set.of(
            "backend terminated",
            "connections reset",
            "cut after commit",
            "slow network",
            "clock stepped",
            HORIZON);

    /** Whether it holds up whom it hits. */
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
