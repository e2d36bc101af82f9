package org.readpast.store;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.sql.ReleaseSql;

/**
 * Makes leased jobs claimable again. The jobs are fenced by their claim numbers, so a node cannot
 * release a job that another node has claimed since.
 */
public final class ReleaseStore {
  private final Transactions transactions;
  private final Runnable groupReleased;
  private final LaneListener lanes;

  /**
   * @param groupReleased called after the commit of a release of a job that waits for its group
   *     again
   * @param lanes notified of jobs that are available again at their previous positions
   */
  public ReleaseStore(Transactions transactions, Runnable groupReleased, LaneListener lanes) {
    this.transactions = transactions;
    this.groupReleased = groupReleased;
    this.lanes = lanes;
  }

  /** Receives notifications of jobs that are available again at their previous positions. */
  public interface LaneListener {
    /** Reports jobs that a transaction has released and announced to the other nodes. */
    void released(List<Claims.ReopenedLane> lanes);

    /**
     * Reports jobs that a transaction had ended before it was rolled back. Claims may have skipped
     * the restored jobs in the meantime.
     */
    default void restored(List<Claims.ReopenedLane> lanes) {}
  }

  /**
   * Announces to other nodes the jobs that a transaction had locked before it was rolled back.
   * Returns the number of lanes.
   */
  public int announce(List<Claims.ReopenedLane> locked) {
    return Sql.change(
        transactions.entityManager(),
        ReleaseSql.announce(),
        locked.stream().map(Claims.ReopenedLane::queue).toArray(String[]::new),
        locked.stream().map(Claims.ReopenedLane::type).toArray(String[]::new),
        locked.stream().map(Claims.ReopenedLane::priority).toArray(Integer[]::new),
        locked.stream().map(Claims.ReopenedLane::position).toArray(Long[]::new));
  }

  /** Reports jobs that a transaction had ended before it was rolled back. */
  void restored(List<Claims.ReopenedLane> restored) {
    lanes.restored(restored);
  }

  /**
   * Describes how a leased job becomes claimable again.
   *
   * @param started true if the handler of the job has started
   * @param counted true if the start counts as an attempt
   * @param crashes the number of deaths with which the job is charged; null for none; -1 to leave
   *     it unchanged
   * @param pause the time until the next attempt
   * @param keepsPosition true to keep the job's position in its lane, if there is no pause
   */
  public record Release(
      long id,
      int claimNo,
      boolean started,
      boolean counted,
      @Nullable Integer crashes,
      Duration pause,
      boolean keepsPosition) {
    private static final Integer AS_BEFORE = -1;

    /** Releases a job whose handler has not started, as if it had not been leased. */
    public static Release unstarted(ClaimedJob job) {
      return new Release(job.id(), job.claimNo(), false, false, AS_BEFORE, Duration.ZERO, true);
    }

    /** Releases a job whose transaction was rolled back for a reason other than this job. */
    public static Release undone(ClaimedJob job) {
      return new Release(job.id(), job.claimNo(), true, false, AS_BEFORE, Duration.ZERO, true);
    }

    static Release lost(Nodes.HeldJob job) {
      return new Release(job.id(), job.claimNo(), false, false, AS_BEFORE, Duration.ZERO, true);
    }
  }

  /**
   * Makes leased jobs claimable again. Returns the ids of the jobs whose claim numbers still
   * matched.
   */
  public Set<Long> release(List<Release> jobs) {
    if (jobs.isEmpty()) {
      return Set.of();
    }
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(),
            ReleaseSql.release(),
            Function.identity(),
            jobs.stream().map(Release::id).toArray(Long[]::new),
            jobs.stream().map(Release::claimNo).toArray(Integer[]::new),
            jobs.stream().map(Release::started).toArray(Boolean[]::new),
            jobs.stream().map(Release::counted).toArray(Boolean[]::new),
            jobs.stream().map(Release::crashes).toArray(Integer[]::new),
            jobs.stream().map(job -> job.pause().toMillis()).toArray(Long[]::new),
            jobs.stream().map(Release::keepsPosition).toArray(Boolean[]::new));
    if (rows.stream().anyMatch(row -> row.flag(1))) {
      transactions.afterCommit(groupReleased);
    }
    List<Claims.ReopenedLane> released =
        rows.stream()
            .filter(row -> row.flag(6) && !row.isNull(5))
            .map(
                row ->
                    new Claims.ReopenedLane(
                        row.text(2), row.text(3), row.integer(4), row.number(5)))
            .toList();
    if (!released.isEmpty()) {
      transactions.afterCommit(() -> lanes.released(released));
    }
    return rows.stream().map(row -> row.number(0)).collect(Collectors.toSet());
  }

  /**
   * Releases a job after its attempt has returned. The job is no longer charged with earlier
   * deaths, and the jobs behind it wait for their group again.
   */
  public boolean retry(ClaimedJob job, Duration pause, boolean counted, boolean keepsPosition) {
    return releaseWithNext(
        job, new Release(job.id(), job.claimNo(), true, counted, null, pause, keepsPosition));
  }

  private boolean releaseWithNext(ClaimedJob job, Release release) {
    releaseUnstarted(job.nextInGroup());
    return !release(List.of(release)).isEmpty();
  }

  /**
   * Releases jobs that were leased but have not started. Returns the ids of the jobs whose claim
   * numbers still matched.
   */
  public Set<Long> releaseUnstarted(List<ClaimedJob> jobs) {
    return release(jobs.stream().map(Release::unstarted).toList());
  }

  /**
   * Postpones a job that cannot be started yet. The jobs behind the given job wait for their group
   * again.
   */
  public boolean postpone(ClaimedJob job, Duration pause) {
    return releaseWithNext(
        job, new Release(job.id(), job.claimNo(), false, false, Release.AS_BEFORE, pause, false));
  }

  /**
   * Releases jobs whose lease never reached their node, except jobs that another transaction has
   * locked. Returns the ids of the jobs whose claim numbers still matched.
   */
  public Set<Long> releaseLost(List<Nodes.HeldJob> jobs) {
    return releaseUnlocked(jobs.stream().map(Release::lost).toList());
  }

  /** Releases jobs like {@link #release}, except jobs that another transaction has locked. */
  public Set<Long> releaseUnlocked(List<Release> jobs) {
    Set<Long> locked =
        Set.copyOf(
            Sql.rows(
                transactions.entityManager(),
                ReleaseSql.lock(),
                row -> row.number(0),
                (Object) jobs.stream().map(Release::id).toArray(Long[]::new)));
    return release(jobs.stream().filter(job -> locked.contains(job.id())).toList());
  }
}
