package org.readpast.sql;

/**
 * Contains the statements of maintenance, which any node may run at any time. The statements
 * process small ordered batches, and skip locked rows.
 */
public final class MaintenanceSql {
  private MaintenanceSql() {}

  // The current time is a subquery wherever an index is read up to that time. Without the subquery,
  // the time would change within the statement, and every index entry would be compared with it.

  // Is null if the clock has been set back to a time before the start of the database.
  private static final String STARTED =
      "case when pg_postmaster_start_time() <= clock_timestamp() then pg_postmaster_start_time() end";

  // Nodes cannot send heartbeats while the database is down. After the database has started, each
  // node therefore has the time of a whole lease to send a heartbeat. If the time of a heartbeat is
  // in the future, the clock has been set back since.
  private static final String SILENT =
      """
      from readpast_node silent where state in ('ACTIVE', 'STOPPING') and (
        greatest(beat_at, %s) < clock_timestamp() - lease_ms * interval '1 millisecond'
        or beat_at > clock_timestamp() + lease_ms * interval '1 millisecond')"""
          .formatted(STARTED);

  // The session may have passed to another client: certainly if its transaction began more than one
  // lease after the node's last heartbeat. A running statement must also have locks that are
  // awaited.
  private static final String LEFT_OPEN =
      """
      from readpast_node n join pg_stat_activity a on a.pid = any(n.backends)
      where n.state = 'DEAD' and n.ended_at > clock_timestamp() - interval '10 minutes'
        and a.datname = current_database()
        and (a.state like 'idle in transaction%' or exists (
          select 1 from pg_locks w where not w.granted and a.pid = any(pg_blocking_pids(w.pid))))
        and a.xact_start < n.beat_at + n.lease_ms * interval '1 millisecond'
        and a.state_change not between clock_timestamp() - interval '3 seconds' and clock_timestamp()
        and not exists (
          select 1 from readpast_node o where o.state in ('ACTIVE', 'STOPPING') and a.pid = any(o.backends)
            and o.beat_at > clock_timestamp() - o.lease_ms * interval '1 millisecond')""";

  // A job is overdue only after its node has sent heartbeats steadily for the whole time that the
  // job is allowed. During an outage of the database, no node can end its jobs, and a clock that is
  // set ahead makes all deadlines pass. An outage or a step of the clock that is shorter than two
  // thirds of a lease does not interrupt the heartbeats, so the grace period is at least as long.
  private static String overdue(String job, String node) {
    return """
        greatest(%1$sclaimed_at, %2$s.steady_since) + (%1$sdeadline - %1$sclaimed_at)
          < clock_timestamp() - greatest(cast(?1 as bigint), %2$s.lease_ms * 2 / 3) * interval '1 millisecond'"""
        .formatted(job, node);
  }

  private static final String LOST =
      """
      (n.beat_at > clock_timestamp() - n.lease_ms * interval '1 millisecond' * 2 / 3
        and %s
        or n.no is null or n.state in ('DEAD', 'STOPPED'))"""
          .formatted(overdue("l.", "n"));

  private static final String LOST_LEASE =
      "from readpast_lease l left join readpast_node n on n.no = l.node where " + LOST;

  private static final String SCHEDULED =
      "from readpast_job where state = 'SCHEDULED' and position is null and waits_for is null and "
          + ClaimSql.ANY_ID
          + " and available_at between (select timestamptz '-infinity') and ";
  private static final String FIRST_SCHEDULED =
      SCHEDULED + "(select timestamptz 'infinity') order by available_at limit 1";

  /** Is true if the node of the lease l no longer holds any of its jobs. */
  static final String NOTHING_LEFT =
      """
      (select 1 from readpast_job j where j.id = any(l.jobs) and j.owner = l.node limit 1) is null""";

  /**
   * Counts the jobs of queue q that have a position. Jobs with a position are AVAILABLE, or were
   * AVAILABLE before they became RUNNING. The subquery counts from the end of each lane, because a
   * lane may begin with millions of dead index entries. Parameter: ?1 = number at which counting
   * stops.
   */
  public static final String DEPTH =
      """
      (select count(*) from (
        select 1 from readpast_job j where j.queue = q.name and j.position is not null
        order by j.type desc, j.priority desc, j.position desc limit ?1) x)""";

  private static final String CAN_EXPIRE =
      "from readpast_job where state in ('AVAILABLE', 'SCHEDULED', 'BLOCKED')";

  private static final String DUE_CANCELLATION =
      """
      from readpast_cancellation c
      where (select 1 from readpast_job j where j.id = c.job_id and j.state = 'RUNNING') is null
        and c.requested_at not between clock_timestamp() - interval '5 seconds' and clock_timestamp()""";

  /**
   * Checks in one statement which maintenance is necessary; usually none is. Returns as booleans
   * whether there are (silent nodes, sessions that dead nodes left open, leases whose owner is
   * lost, expired jobs, cancellations to carry out). Parameter: ?1 = grace period in ms.
   */
  public static String toDo() {
    // Each subquery reads only the first entry of an index. With a plain "exists", the planner
    // would read the table.
    return """
        select exists (select 1 %s),
          exists (select 1 %s),
          exists (select 1 %s),
          coalesce(clock_timestamp() >=
            (select expires_at %s and expires_at is not null order by expires_at limit 1), false),
          exists (select 1 %s)"""
        .formatted(SILENT, LEFT_OPEN, LOST_LEASE, CAN_EXPIRE, DUE_CANCELLATION);
  }

  /**
   * Makes due jobs AVAILABLE, in the order in which they were due. Returns the column (queue).
   * Parameter: ?1 = maximum number of jobs.
   */
  public static String promote() {
    // The update visits the jobs in any order, so their positions are drawn beforehand.
    return """
        with due as materialized (
          select array_agg(id) as ids, array_agg(position) as positions from (
            select id, nextval('readpast_position') as position from (
              select id %s (select clock_timestamp())
              order by available_at, id limit ?1 for update skip locked) x) y)
        update readpast_job j set state = 'AVAILABLE', position = due.positions[array_position(due.ids, j.id)]
        from due where j.id = any(due.ids)
        returning j.queue"""
        .formatted(SCHEDULED);
  }

  /** Returns the column (ms until the next job is due), or no row if no job is scheduled. */
  public static String nextDue() {
    return """
        select cast(ceil(extract(epoch from available_at - clock_timestamp()) * 1000) as bigint) %s"""
        .formatted(FIRST_SCHEDULED);
  }

  /**
   * Locks jobs that expired before they were started. Returns the column (id). Parameter: ?1 =
   * maximum number of jobs.
   */
  public static String expired() {
    return "select id "
        + CAN_EXPIRE
        + " and expires_at <= (select clock_timestamp()) order by expires_at limit ?1 for update skip locked";
  }

  /**
   * Declares nodes dead whose last heartbeat is older than their lease and that of the calling
   * node. The calling node must have sent its own heartbeats steadily for both leases: the two may
   * have been cut off together, or the clock was set. Returns the columns (no, name). Parameter: ?1
   * = the calling node.
   */
  public static String declareDead() {
    // A node notices only at its next heartbeat that it was cut off for two thirds of its lease, so
    // the last one must not be older. It does not notice shorter outages, which may be longer than
    // the lease of the other node, so the other node must be silent for both leases.
    // If the other node was late already when the steady heartbeats of the calling node began,
    // although both had run before, both were cut off together. As TCP repeats lost packets after
    // growing pauses, the connections of one node may resume much later than those of the other.
    return """
        update readpast_node set state = 'DEAD', ended_at = clock_timestamp()
        where no in (select no %s and exists (
            select 1 from readpast_node me where me.no = ?1 and me.state in ('ACTIVE', 'STOPPING')
              and me.beat_at between clock_timestamp() - me.lease_ms * interval '1 millisecond' * 2 / 3 and clock_timestamp()
              and silent.beat_at not between clock_timestamp() - me.lease_ms * interval '1 millisecond' and clock_timestamp()
              and greatest(me.steady_since, %s)
                < clock_timestamp() - greatest(me.lease_ms, silent.lease_ms) * interval '1 millisecond'
                  * case when silent.beat_at between me.started_at
                      and me.steady_since - silent.lease_ms * interval '1 millisecond' * 2 / 3 then 3 else 1 end)
          order by no for update skip locked)
        returning no, name"""
        .formatted(SILENT, STARTED);
  }

  /**
   * Announces up to 1,000 lanes that have jobs to claim, as releases at position 0, so that each
   * node searches these lanes from the start.
   */
  public static String announceLanes() {
    // As in the statement ClaimSql.pollForJobs, the query jumps from one lane with jobs to the
    // next, without reading their jobs. More announcements would cost each node more than they
    // save, because every node searches all lanes from the start every five minutes.
    return """
        with recursive lane(queue, type, priority) as (
          (%1$s order by queue, type, priority, position limit 1)
          union all
          select next.* from lane cross join lateral (
            %1$s and (queue, type, priority) > (lane.queue, lane.type, lane.priority)
            order by queue, type, priority, position limit 1) next)
        insert into readpast_release (queue, type, priority, position)
        select queue, type, priority, 0 from lane limit 1000"""
        .formatted(
            "select queue, type, priority from readpast_job where state <> 'RUNNING' and "
                + ClaimSql.ANY_PLACE);
  }

  /**
   * Terminates the sessions in which dead nodes have left transactions open, except statements for
   * which no session waits. Returns the column (pid).
   */
  public static String terminateSessionsOfDead() {
    return "select a.pid, pg_terminate_backend(a.pid) " + LEFT_OPEN;
  }

  /**
   * Locks jobs whose owner is lost, and jobs that are overdue by more than the grace period.
   * Returns the columns (id, claim_no, attempt, uncounted, max attempts, deaths charged so far or
   * null, owner, the owner's state or null, claimed_at, queue, type, unique key, correlation id,
   * enqueuer, true if its handler is known to have started, true if it was the first job of its
   * lease, group, batch, properties). Parameters: ?1 = grace period in ms, ?2 = maximum number of
   * jobs.
   */
  public static String lockLostOrOverdue() {
    return """
        with held as materialized (
          select distinct on (u.job) u.job, l.node, n.state, n.steady_since, n.lease_ms,
            u.job = any(l.begun) as begun, u.place = 1 as first
          from readpast_lease l left join readpast_node n on n.no = l.node
          cross join lateral unnest(l.jobs) with ordinality u(job, place)
          where %1$s
          order by u.job, l.id desc)
        select j.id, j.claim_no, j.attempt, coalesce(j.uncounted, 0), coalesce(j.max_attempts, t.max_attempts, 5),
          j.crashes, j.owner, h.state, j.claimed_at, j.queue, j.type, j.unique_key, j.correlation_id, j.enqueued_by,
          h.begun, h.first, j.group_key, j.batch, cast(j.properties as text)
        from held h
        cross join lateral (
          select * from readpast_job where id = h.job and owner = h.node and state = 'RUNNING'
            and (%2$s
              or h.state is null or h.state in ('DEAD', 'STOPPED'))
          for update skip locked) j
        left join readpast_type t on t.name = j.type
        limit ?2"""
        .formatted(LOST, overdue("", "h"));
  }

  /** Deletes the leases of ended nodes whose jobs have all been taken over or have ended. */
  public static String removeLeases() {
    return """
        delete from readpast_lease l
        where not exists (select 1 from readpast_node n where n.no = l.node and n.state in ('ACTIVE', 'STOPPING'))
          and %s"""
        .formatted(NOTHING_LEFT);
  }

  /**
   * Adds to the count of jobs that were taken over from a node. Parameters: ?1 = node, ?2 = number
   * of jobs.
   */
  public static String countTakenOver() {
    return "update readpast_node set taken_over = taken_over + ?2 where no = ?1";
  }

  /**
   * Locks the cancellation requests of jobs that were running when they were requested and are no
   * longer running. Returns the column (job_id). Parameter: ?1 = maximum number.
   */
  public static String dueCancellations() {
    return "select c.job_id "
        + DUE_CANCELLATION
        + " order by c.job_id limit ?1 for update skip locked";
  }

  /** Locks the jobs that can be cancelled now. Returns the column (id). Parameter: ?1 = jobs. */
  public static String lockToCancel() {
    return """
        select id from readpast_job where id = any(cast(?1 as bigint[])) and state <> 'RUNNING'
        order by id for update skip locked""";
  }

  /**
   * Deletes the cancellation requests of jobs that have ended. If a job was claimed just before it
   * could be cancelled, its request is kept. Parameter: ?1 = job ids.
   */
  public static String deleteCarriedOut() {
    return """
        delete from readpast_cancellation c where job_id = any(cast(?1 as bigint[]))
          and not exists (select 1 from readpast_job where id = c.job_id)""";
  }
}
