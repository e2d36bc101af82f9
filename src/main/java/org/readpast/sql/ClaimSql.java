package org.readpast.sql;

/**
 * The claim: one range read of the index {@code readpast_job_claim} for each lane, most urgent lane
 * first.
 *
 * <p>A lane is a (type, priority) of one queue. Its range starts at the lane's mark, because
 * entries of jobs that have left stay in the index until vacuum comes by, and reading them again at
 * each claim is what makes a queue slow.
 */
public final class ClaimSql {
  private ClaimSql() {}

  /** As many as one claim may take. */
  public static final int MOST = 500;

  // A job with a position is AVAILABLE or RUNNING. Written as "not RUNNING": where nearly all jobs
  // are BLOCKED the planner would expect to find none AVAILABLE, and read the table instead.
  private static final String AVAILABLE = "state <> 'RUNNING'";

  /** No id comes after it. */
  static final String LAST_ID = "(select 9223372036854775807)";

  /**
   * Says nothing new of a job, but has the planner expect next to none, so that it reads an index
   * that ends in the id in its order. Of a table that a backlog has left, of many pages without
   * rows, it expects that to be dear, and would sort all jobs that have come since. Each such range
   * makes it a two-hundredth: two are enough after a million jobs, three after all that fit in. The
   * values come out of selects, as the planner would compare constants with what it has seen.
   */
  static final String ANY_ID = "id between (select 0) and " + LAST_ID;

  /** The same for an index that begins with the batch. */
  static final String ANY_BATCH = "batch between (select 0) and " + LAST_ID;

  /** The same for the index {@code readpast_job_claim}. */
  public static final String ANY_PLACE =
      """
      position between (select 0) and (select 9223372036854775807) and priority between (select 0) and (select 9)""";

  // Arrays come out of selects of their own, so that the planner cannot count their elements: with
  // the count a plan made for these very values looks cheaper than one for all, and it would plan
  // at every claim, which takes longer than the claim of one job. So it does after costs have risen
  // with the table: hence the fixed limit of each lane, although rows are locked one by one, and no
  // more than are wanted in all.
  // The ranges serve the purpose of ANY_ID; and as a claim then always costs the same, the planner
  // does not go back to planning each one.
  private static final String PICK =
      """
      select j.id, j.bytes, lane.micros, lane.type, lane.priority, j.position from unnest(
          (select cast(?2 as text[])), (select cast(?3 as int[])), (select cast(?4 as bigint[])),
          (select cast(?5 as bigint[])))
        as lane(type, priority, mark, micros)
      cross join lateral (
        select id, position, octet_length(cast(payload as text)) as bytes from readpast_job
        where queue = ?1 and type = lane.type and priority = lane.priority and state <> 'RUNNING'
          and queue between ?1 and ?1 and type between lane.type and lane.type
          and priority between lane.priority and lane.priority
          and position >= lane.mark
        order by position limit 500
        for update skip locked
      ) j limit %s""";

  // Sizes are read without decompressing the payloads. The first job is taken whatever its size.
  // Jobs that do not fit stay locked until the statement ends, and other claims may have skipped
  // them. As after a release, all nodes move their marks back to there; one hint a second is
  // enough.
  private static String picked(String pick, String bytes, String micros) {
    return """
        with found as materialized (
          select id, type, priority, position, row_number() over before as no, sum(bytes) over before <= cast(%s as bigint)
            and sum(micros) over before <= cast(%s as bigint) as fits
          from (%s) f window before as (rows unbounded preceding)
        ), picked as materialized (
          select array(select id from found where no = 1 or fits) as jobs
        ), cut as materialized (
          select type, priority, min(position) as position from found where no > 1 and not fits and position is not null
          group by type, priority
        ), hinted as (
          insert into readpast_release (queue, type, priority, position)
          select ?1, type, priority, position from cut
          where not exists (
            select 1 from readpast_release r where r.queue = ?1 and r.type = cut.type and r.priority = cut.priority
              and r.position <= cut.position and r.released_at > clock_timestamp() - interval '1 second')
        )"""
        .formatted(bytes, micros, pick);
  }

  // The entries of those that were taken stay in the index: hence from the last id on. A range is
  // said of the batch, not of the wave: the scan would begin with that.
  private static String fromWave(String order) {
    return """
      select id, octet_length(cast(payload as text)) as bytes, 0 as micros, type, priority, position from readpast_job
        where batch = ?4 and (wave, id) > (?5, ?9) and (wave, id) < (?5, ?10)
          and %1$s and waits_for = 'WAVE' and state = 'BLOCKED' and not unsettled
          and queue = ?1 and type = ?2 and priority = ?3 and group_key is null and available_at <= clock_timestamp()
          and (select exists (select 1 from readpast_batch where id = ?4 and cancelled_at is null and held_at is null))
          and %2$s = ?5
        order by %3$s limit cast(?7 as int)
        for update skip locked"""
        .formatted(ANY_BATCH, DependencySql.OPEN.formatted("?4"), order);
  }

  /**
   * The columns (numbers, texts) of a job that is leased, by a statement that has its lease. A job
   * comes as two arrays, because the reader of a row pays for each column. The last of the numbers:
   * whether it had expired when it was leased (1), its lease, and its batch. Few jobs have an
   * enqueuer: to test for that is cheaper than to concatenate two nulls.
   */
  static final String LEASED =
      """
      array[id, priority, position, claim_no, attempt, uncounted, crashes, max_attempts, %s, %s, %s,
        cast(expires_at <= claimed_at as int), (select id from lease), batch] as numbers,
      array[type, unique_key, correlation_id, cast(properties as text), cast(payload as text), content_type,
        case when enqueued_by is not null then enqueued_by || coalesce(chr(10) || enqueuer_roles, '') end, group_key] as texts"""
          .formatted(micros("enqueued_at"), micros("available_at"), micros("claimed_at"));

  /**
   * All jobs of {@link #LEASED} in one row, which is cheaper than a row for each. The claim bounds
   * the payloads in it, as PostgreSQL holds the row in memory several times.
   */
  static final String ALL_LEASED =
      "array_agg(numbers) filter (where numbers is not null), array_agg(texts) filter (where texts is not null)";

  /** How many jobs of queue 1 are leased, over all nodes. */
  private static final String RUNNING =
      """
      select count(*) from readpast_job
      where id = any(array(select unnest(jobs) from readpast_lease where queue = ?1)) and state = 'RUNNING'
        and queue || '' = ?1""";

  // What is sent for every job is put together once.
  private static final String LEFT_OF_LIMIT =
      "(select greatest(0, least(cast(?7 as int), cast(?11 as int) - (" + RUNNING + "))))";
  private static final String LEASE =
      lease(
          picked(PICK.formatted("(select cast(?7 as int))"), "?9", "?10"),
          """
          false, case when (select bool_and(type = any(cast(?11 as text[]))) from found)
            then set_config('synchronous_commit', 'off', true) end""");
  private static final String LEASE_UP_TO_LIMIT =
      lease(
          picked(PICK.formatted(LEFT_OF_LIMIT), "?9", "?10"), LEFT_OF_LIMIT + " < cast(?7 as int)");
  private static final String LEASE_FROM_WAVE =
      lease(picked(fromWave("wave, id"), "?11", "0"), "false");
  private static final String LEASE_FROM_END_OF_WAVE =
      lease(picked(fromWave("wave desc, id desc"), "?11", "0"), "false");

  /** Since 1970; exact for some hundred years. */
  private static String micros(String moment) {
    return "cast(date_part('epoch', " + moment + ") * 1000000 as bigint)";
  }

  /**
   * Leases jobs: marks them RUNNING, and writes a lease that names them. 1: queue, 2: types, 3:
   * priorities, 4: marks, 5: microseconds that one job of the lane takes (arrays of equal length,
   * in the order in which the lanes are searched), 6: node, 7: how many, 8: this node allows them
   * so many ms, 9: bytes of payload, 10: microseconds of work, 11: whether a crash of the database
   * may lose the lease, so that its commit need not wait for the disk. Gives one row (their
   * numbers, their texts, type:priority:position of the first job of each lane that did not fit,
   * whether a limit allows fewer than 7). The first job is leased even if it alone exceeds 9 or 10.
   */
  public static String lease() {
    return LEASE;
  }

  /**
   * Leases as {@link #lease()} does from a queue with a limit over all nodes; 11: the limit. For a
   * transaction that holds {@link #lockQueue()}.
   */
  public static String leaseUpToLimit() {
    return LEASE_UP_TO_LIMIT;
  }

  /**
   * 1: queue. Locks its row, so that nobody else leases up to the limit at the same time; gives
   * nothing if another transaction holds it.
   */
  public static String lockQueue() {
    // The lease is a statement of its own: it must see what was committed before this one.
    return "select 1 from readpast_queue where name = ?1 for no key update skip locked";
  }

  private static String lease(String picked, String limited) {
    return picked
        + """
        , lease as (
          insert into readpast_lease (node, queue, jobs, deadline)
          select ?6, ?1, jobs, clock_timestamp() + cast(?8 as bigint) * interval '1 millisecond'
          from picked where jobs <> '{}' returning id),
        leased as (update readpast_job set\s"""
        + running("?6", "?8")
        + " where id = any(cast((select jobs from picked) as bigint[])) returning "
        + LEASED
        + ") select "
        + ALL_LEASED
        + ", (select array_agg(type || ':' || priority || ':' || position) from cut), "
        + limited
        + " from leased";
  }

  /**
   * Takes jobs straight from a wave that is open, and marks them RUNNING as {@link #lease()} does:
   * they still say that they wait for it, so that no index is written. 1: queue, 2: type, 3:
   * priority, 4: batch, 5: wave, 6: node, 7: how many, 8: this node allows them so many ms, 9 and
   * 10: ids after and before which they are, 11: bytes of payload. Gives what that gives.
   */
  public static String leaseFromWave() {
    return LEASE_FROM_WAVE;
  }

  /** The same from the end of the wave. */
  public static String leaseFromEndOfWave() {
    return LEASE_FROM_END_OF_WAVE;
  }

  /** What a lease makes of a job; allowed: how many ms. The clock is read once, not per row. */
  static String running(String node, String allowed) {
    return """
        state = 'RUNNING', owner = %s, claim_no = claim_no + 1, attempt = attempt + 1,
        claimed_at = (select clock_timestamp()),
        deadline = (select clock_timestamp() + cast(%s as bigint) * interval '1 millisecond')"""
        .formatted(node, allowed);
  }

  /**
   * 1: lease, 2: job, 3: claim_no. Records that the job's handler is about to start, and forgets
   * jobs that have ended, so that what is written each time stays small. Gives a row while this
   * claim owns the job.
   */
  public static String begin() {
    return """
        update readpast_lease set begun = array_append(
          case when cardinality(begun) < 32 then begun
            else array(select id from readpast_job where id = any(begun) and state = 'RUNNING') end,
          cast(?2 as bigint))
        where id = ?1 and exists (
          select 1 from readpast_job where id = ?2 and claim_no = ?3 and state = 'RUNNING')
        returning id""";
  }

  /**
   * Ends the current transaction's session when it idles for 20 s, so that a node that freezes in
   * one of its short transactions does not keep what it has locked.
   */
  public static String boundIdleTime() {
    return "select set_config('idle_in_transaction_session_timeout', '20000', true)";
  }

  /** Gives (process id) of the database session. */
  public static String backend() {
    return "select pg_backend_pid()";
  }

  /** 1: id, 2: claim_no. Gives a row while this claim owns the job. */
  public static String owned() {
    return "select 1 from readpast_job where id = ?1 and claim_no = ?2 and state = 'RUNNING'";
  }

  /**
   * Gives a row (null, ms until the next scheduled job is due or null, whether there may be
   * something to settle, whether {@link #releases()} gives something, what {@link #lastPosition()}
   * gives).
   */
  public static String look() {
    return "select cast(null as text), ("
        + MaintenanceSql.nextDue()
        + "), exists ("
        + DependencySql.pending()
        + "), exists (select "
        + LATELY_RELEASED
        + "), "
        + LAST_POSITION;
  }

  /**
   * 1: queues used lately, 2: their marks (null: not to be looked at), 3: whether others use them
   * (arrays of equal length), 4: types, 5: a position; nothing is to be found while no later one
   * was drawn. Gives what {@link #look()} gives, and (queue, null, whether it is of one of the
   * types, nulls) of queues that may have something to claim, at or after their marks.
   */
  public static String lookForJobs() {
    // Where others work, dead entries of their types may be in the way: there each type is looked
    // at. All queues that nobody used lately are gone through from one that has jobs to the next,
    // however many there are.
    return look()
        + """
         union all
        select q, null, exists (
          select from unnest(cast(?4 as text[])) as t cross join lateral (%s order by priority, position limit 1) j),
          null, null, null
        from (
          select q, mark from unnest(cast(?1 as text[]), cast(?2 as bigint[]), cast(?3 as boolean[]))
            as used(q, mark, shared)
          cross join lateral (
            (%s and not shared order by type, priority, position limit 1) union all select 1 where shared) j
          where mark is not null
          union all
          select name, 0 from (
            select lag(q, 1, '') over (order by q collate "C") as low, q as high
            from unnest(array_append(cast(?1 as text[]), '~')) q) gap
          cross join lateral (
            with recursive next(name) as (
              (%s)
              union all
              select (%s) from next where name is not null)
            select name from next where name is not null) others) found(q, mark)
        where exists (select 1 from readpast_position where last_value > ?5)"""
            .formatted(
                from("type = t and type between t and t"),
                from("type between (select '') and (select '~')"),
                after("low"),
                after("next.name"));
  }

  // In the order of the index: any row would do, but then the planner hopes to meet one soon if it
  // just reads the table. The ranges are there as in PICK.
  private static String from(String types) {
    return """
        select 1 from readpast_job
        where queue = q and queue between q and q and %s and state <> 'RUNNING' and position >= mark"""
        .formatted(types);
  }

  private static String after(String queue) {
    return """
        select queue from readpast_job
        where queue > %s and queue < high and state <> 'RUNNING' and %s
        order by queue, type, priority, position limit 1"""
        .formatted(queue, ANY_PLACE);
  }

  /**
   * Gives (queue, type, priority, position) of the lanes that jobs were released to in the last
   * five seconds.
   */
  public static String releases() {
    return "select queue, type, priority, min(position) "
        + LATELY_RELEASED
        + " group by queue, type, priority";
  }

  private static final String LATELY_RELEASED =
      "from readpast_release where released_at > clock_timestamp() - interval '5 seconds'";

  /** 1: queue. Gives (type) of each type that it has AVAILABLE jobs of. */
  public static String typesWithWork() {
    return types(" and " + AVAILABLE) + " select type from t where type is not null";
  }

  /** A query t (type), the last null: of each type that queue 1 has such jobs of. */
  public static String types(String such) {
    // From one type to the next in the index, rather than through all jobs.
    return """
        with recursive t(type) as (
          (select type from readpast_job where %1$s order by type limit 1)
          union all
          select (select type from readpast_job where %1$s and type > t.type
            order by type limit 1) from t where t.type is not null)"""
        .formatted("queue = ?1 and queue between ?1 and ?1 and " + ANY_PLACE + such);
  }

  /** Gives (isolation level) of the current transaction. */
  public static String isolation() {
    return "select current_setting('transaction_isolation')";
  }

  // A server that loses commits is another process afterwards (crash, failover, storage set back),
  // or has another database or sequence (restore). Every role may read these, on a standby too. The
  // timeline says less: storage that is set back keeps it, and some providers withhold its
  // functions. The start time as a text would depend on the session's settings.
  // A sequence that was never drawn from says 1 too.
  private static final String LAST_POSITION =
      micros("pg_postmaster_start_time()")
          + """
           || '/' || (select oid from pg_database where datname = current_database()) || '/' || tableoid,
          case when is_called then last_value else 0 end
        from readpast_position""";

  /** Gives (what positions are drawn from, last position drawn). */
  public static String lastPosition() {
    return "select " + LAST_POSITION;
  }

  /**
   * Gives (virtual transaction) of every open transaction that may have inserted or changed jobs.
   * One that is prepared (XA) has no process any more; it keeps its virtual transaction until the
   * database restarts, and is -1/... from then on.
   */
  public static String openWriters() {
    return """
        select distinct virtualtransaction as writer from pg_locks
        where database = (select oid from pg_database where datname = current_database())
          and relation = cast('readpast_job' as regclass) and mode = 'RowExclusiveLock'
          and pid is distinct from pg_backend_pid()""";
  }
}
