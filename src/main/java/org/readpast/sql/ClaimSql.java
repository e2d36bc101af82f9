package org.readpast.sql;

/**
 * Contains the statements that claim jobs. A claim is one range read of the index {@code
 * readpast_job_claim} for each lane, most urgent lane first.
 *
 * <p>A lane is one (type, priority) of a queue. The scanned range of a lane starts at the lane's
 * mark. Index entries of jobs that have left the lane stay in the index until it is vacuumed, and
 * reading them again at each claim would make a queue slow.
 */
public final class ClaimSql {
  private ClaimSql() {}

  /** Limits the number of jobs that one claim can take. */
  public static final int MOST = 500;

  // AVAILABLE and RUNNING jobs have positions. The condition is "not RUNNING": if nearly all jobs
  // were BLOCKED, the planner would expect to find no AVAILABLE job, and read the whole table.
  private static final String AVAILABLE = "state <> 'RUNNING'";

  /** Specifies the highest possible id of a job. */
  public static final String LAST_ID = "(select 9223372036854775807)";

  /**
   * Is true for every job, but makes the planner expect hardly any rows, so that it reads an index
   * that ends with the id in index order. Without this condition, the planner considers that index
   * expensive in a table that a backlog has left with many pages but few rows, and sorts all jobs
   * that have arrived since. Each such range divides the expected number of rows by 200: two ranges
   * are enough after a backlog of a million jobs, three after any backlog that fits in the table.
   * The bounds are subqueries, because the planner would compare constants with its statistics.
   */
  public static final String ANY_ID = "id between (select 0) and " + LAST_ID;

  /** Has the effect of {@link #ANY_ID} for an index that begins with the batch. */
  public static final String ANY_BATCH = "batch between (select 0) and " + LAST_ID;

  /** Has the effect of {@link #ANY_ID} for the index {@code readpast_job_claim}. */
  public static final String ANY_PLACE =
      """
      position between (select 0) and (select 9223372036854775807) and priority between (select 0) and (select 9)""";

  // The arrays are subqueries, so that the planner cannot count their elements. If the planner
  // counted the elements, a custom plan would look cheaper than the generic plan, and PostgreSQL
  // would plan every claim, which takes longer than claiming one job. PostgreSQL would also plan
  // every claim if the estimated cost grew with the table. The limit of each lane is therefore a
  // constant, although rows are locked one by one, and not more than the total limit. The ranges
  // are true for every job, like ANY_ID, and make the planner use the index. The ranges also keep
  // the estimated cost of a claim constant, so that PostgreSQL keeps using the generic plan.
  private static final String PICK =
      """
      select j.id, j.bytes, lane.micros, lane.type, lane.priority, j.position from unnest(
          (select cast(?2 as text[])), (select cast(?3 as int[])), (select cast(?4 as bigint[])),
          (select cast(?5 as bigint[])))
        as lane(type, priority, mark, micros)
      cross join lateral (
        select id, position, octet_length(cast(payload as text)) + coalesce(octet_length(cast(properties as text)), 0) as bytes
        from readpast_job
        where queue = ?1 and type = lane.type and priority = lane.priority and state <> 'RUNNING'
          and queue between ?1 and ?1 and type between lane.type and lane.type
          and priority between lane.priority and lane.priority
          and position >= lane.mark
        order by position limit 500
        for update skip locked
      ) j limit %s""";

  // Sizes are read without decompressing the values. The first job is claimed even if it
  // exceeds the size. Jobs that do not fit stay locked until the statement ends, so other claims
  // may have skipped them. After the claim, all nodes therefore move their marks back to the jobs
  // that did not fit, as after a release; this is announced at most once a second.
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
        ), announced as (
          insert into readpast_release (queue, type, priority, position)
          select ?1, type, priority, position from cut
          where not exists (
            select 1 from readpast_release r where r.queue = ?1 and r.type = cut.type and r.priority = cut.priority
              and r.position <= cut.position and r.released_at > clock_timestamp() - interval '1 second')
        )"""
        .formatted(bytes, micros, pick);
  }

  // Claimed jobs leave their entries in the index, so the scan starts from the last claimed id. The
  // range that only guides the planner is on the batch. With a range on the wave, the scan would
  // start from that range and not from the id.
  private static String fromWave(String order) {
    return """
      select id, octet_length(cast(payload as text)) + coalesce(octet_length(cast(properties as text)), 0) as bytes,
          0 as micros, type, priority, position from readpast_job
        where batch = ?4 and (wave, id) > (?5, ?9) and (wave, id) < (?5, ?10)
          and %1$s and waits_for = 'WAVE' and state = 'BLOCKED' and not unseen
          and queue = ?1 and type = ?2 and priority = ?3 and group_key is null and %4$s
          and (select exists (select 1 from readpast_batch where id = ?4 and cancelled_at is null and held_at is null))
          and %2$s = ?5
        order by %3$s limit cast(?7 as int)
        for update skip locked"""
        .formatted(ANY_BATCH, WaitingSql.OPEN_WAVE.formatted("?4"), order, WaitingSql.DUE);
  }

  /**
   * Contains the columns (numbers, strings) of a leased job, for a statement with a query {@code
   * lease} that returns its lease. A job is returned as two arrays, because a client spends time on
   * each column that it reads. The last numbers are: 1 if the job had expired when it was leased,
   * the job's lease, and its batch. Few jobs have an enqueuer, and testing for one takes less time
   * than concatenating two nulls.
   */
  static final String LEASED =
      """
      array[id, priority, position, claim_no, attempt, uncounted, crashes, max_attempts, %s, %s, %s,
        cast(expires_at <= claimed_at as int), (select id from lease), batch] as numbers,
      array[type, unique_key, correlation_id, cast(properties as text), cast(payload as text), content_type,
        case when enqueued_by is not null then enqueued_by || coalesce(chr(10) || enqueuer_roles, '') end, group_key] as texts"""
          .formatted(micros("enqueued_at"), micros("available_at"), micros("claimed_at"));

  /**
   * Combines all jobs of {@link #LEASED} in one row, which takes less time than a row for each job.
   * The claim limits the size of the payloads, because PostgreSQL holds several copies of the row
   * in memory.
   */
  static final String ALL_LEASED =
      "array_agg(numbers) filter (where numbers is not null), array_agg(texts) filter (where texts is not null)";

  /** Counts the leased jobs of queue ?1, across all nodes. */
  private static final String RUNNING =
      """
      select count(*) from readpast_job
      where id = any(array(select unnest(jobs) from readpast_lease where queue = ?1)) and state = 'RUNNING'
        and queue || '' = ?1""";

  // The statements below are built only once, because they are sent for every job.
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

  /**
   * Returns an expression for the microseconds since 1970, which is exact for several hundred
   * years.
   */
  private static String micros(String moment) {
    return "cast(date_part('epoch', " + moment + ") * 1000000 as bigint)";
  }

  /**
   * Leases jobs: marks them RUNNING, and writes a lease that names them. The first job is leased
   * even if it alone exceeds ?9 or ?10. Returns one row (numbers of the jobs, strings of the jobs,
   * type:priority:position of the first job of each lane that did not fit, true if a limit allows
   * fewer jobs than ?7). Parameters: arrays of equal length, in the order in which the lanes are
   * searched: ?2 = types, ?3 = priorities, ?4 = marks, ?5 = microseconds that one job of the lane
   * takes; others: ?1 = queue, ?6 = node, ?7 = maximum number of jobs, ?8 = time in ms that this
   * node allows each job, ?9 = maximum bytes, ?10 = maximum microseconds of work, ?11 = types whose
   * leases may be lost in a crash of the database; if all found jobs have such types, the commit
   * does not wait for the disk.
   */
  public static String lease() {
    return LEASE;
  }

  /**
   * Leases jobs like {@link #lease()} from a queue with a limit across all nodes. The transaction
   * must have locked the queue by {@link #lockQueue()}. Parameters: those of {@link #lease()}, but
   * ?11 = limit.
   */
  public static String leaseUpToLimit() {
    return LEASE_UP_TO_LIMIT;
  }

  /**
   * Locks the row of a queue, so that no other transaction claims under the limit at the same time.
   * Returns no row if another transaction has locked the row of the queue. Parameter: ?1 = queue.
   */
  public static String lockQueue() {
    // The lease is a separate statement, because it must see the rows that were committed before
    // the lock was acquired.
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
   * Leases jobs directly from an open wave, and marks them RUNNING like {@link #lease()}. The
   * column {@code waits_for} keeps the value 'WAVE', so that no index is written. Returns the
   * columns of {@link #lease()}. Parameters: ?1 = queue, ?2 = type, ?3 = priority, ?4 = batch, ?5 =
   * wave, ?6 = node, ?7 = maximum number of jobs, ?8 = time in ms that this node allows each job,
   * ?9 = id after which to search, ?10 = id before which to search, ?11 = maximum bytes.
   */
  public static String leaseFromWave() {
    return LEASE_FROM_WAVE;
  }

  /** Leases jobs like {@link #leaseFromWave()}, beginning with the highest ids. */
  public static String leaseFromEndOfWave() {
    return LEASE_FROM_END_OF_WAVE;
  }

  /**
   * Returns the assignments that lease a job. {@code allowed} is the time in ms that the node
   * allows the job. The clock is read once for all rows.
   */
  static String running(String node, String allowed) {
    return """
        state = 'RUNNING', owner = %s, claim_no = claim_no + 1, attempt = attempt + 1,
        claimed_at = (select clock_timestamp()),
        deadline = (select clock_timestamp() + cast(%s as bigint) * interval '1 millisecond')"""
        .formatted(node, allowed);
  }

  /**
   * Records that the handler of a job is about to start. Also removes ended jobs from the record,
   * so that each write stays small. Returns a row if this claim still owns the job. Parameters: ?1
   * = lease, ?2 = job, ?3 = claim_no.
   */
  public static String recordStart() {
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
   * Makes the database end the session of the current transaction after it has been idle for 20 s.
   * A node that freezes in a short transaction therefore does not keep its locks.
   */
  public static String limitIdleTime() {
    return "select set_config('idle_in_transaction_session_timeout', '20000', true)";
  }

  /** Returns (process id) of the database session. */
  public static String backend() {
    return "select pg_backend_pid()";
  }

  /** Returns a row if this claim still owns the job. Parameters: ?1 = id, ?2 = claim_no. */
  public static String owned() {
    return "select 1 from readpast_job where id = ?1 and claim_no = ?2 and state = 'RUNNING'";
  }

  /**
   * Returns one row (null, ms until the next scheduled job is due or null, true if the resolver may
   * have work to do, true if {@link #releases()} returns rows, the columns of {@link
   * #lastPosition()}).
   */
  public static String poll() {
    return "select cast(null as text), ("
        + MaintenanceSql.nextDue()
        + "), exists ("
        + WaitingSql.pending()
        + "), exists (select "
        + RECENTLY_RELEASED
        + "), "
        + LAST_POSITION;
  }

  /**
   * Returns the row of {@link #poll()}, and one row for each queue that may have jobs to claim at
   * or after the marks: (queue, null, true if one of the jobs has one of the types, nulls).
   * Parameters: arrays of equal length: ?1 = queues used recently, ?2 = their marks, or null to
   * skip the queue, ?3 = true if other nodes use the queue or it has jobs that this node does not
   * run; others: ?4 = types, ?5 = position; if no later position has been assigned, no queue is
   * returned.
   */
  public static String pollForJobs() {
    // Each type is searched separately, because in a shared queue the index may begin with dead
    // entries of types that this node does not handle. The search of queues that were not used
    // recently jumps from one queue with jobs to the next, without reading their jobs.
    return poll()
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

  // The result is ordered by the index although any row would do: without the order, the planner
  // would read the table, expecting to find a row soon. The ranges have the same purpose as in the
  // statement PICK.
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
   * Returns (queue, type, priority, position) of the lanes that nodes have announced in the last
   * five seconds, each with the position from which to scan it.
   */
  public static String releases() {
    return "select queue, type, priority, min(position) "
        + RECENTLY_RELEASED
        + " group by queue, type, priority";
  }

  private static final String RECENTLY_RELEASED =
      "from readpast_release where released_at > clock_timestamp() - interval '5 seconds'";

  /** Returns (type) of each type that has AVAILABLE jobs in a queue. Parameter: ?1 = queue. */
  public static String typesWithWork() {
    return types(" and " + AVAILABLE) + " select type from t where type is not null";
  }

  /**
   * Returns a query t (type) with one row for each type that has matching jobs in queue ?1; the
   * last row is null.
   */
  public static String types(String such) {
    // The query jumps from one type to the next in the index, instead of reading all jobs.
    return """
        with recursive t(type) as (
          (select type from readpast_job where %1$s order by type limit 1)
          union all
          select (select type from readpast_job where %1$s and type > t.type
            order by type limit 1) from t where t.type is not null)"""
        .formatted("queue = ?1 and queue between ?1 and ?1 and " + ANY_PLACE + such);
  }

  /** Returns (isolation level) of the current transaction. */
  public static String isolation() {
    return "select current_setting('transaction_isolation')";
  }

  // After commits were lost, the server has another start time (after a crash, a failover or a
  // reset of the storage), or another database or sequence (after a restore). Every role can read
  // the start time and the database, also on a standby. The timeline is less reliable: it stays the
  // same if the storage is set back, and some providers withhold its functions. The start time is
  // converted to a number, because as text it would depend on the settings of the session. A
  // sequence that has never been used also has last_value = 1.
  private static final String LAST_POSITION =
      micros("pg_postmaster_start_time()")
          + """
           || '/' || (select oid from pg_database where datname = current_database()) || '/' || tableoid,
          case when is_called then last_value else 0 end
        from readpast_position""";

  /** Returns the columns (source of the positions, last position assigned). */
  public static String lastPosition() {
    return "select " + LAST_POSITION;
  }

  /**
   * Returns (virtual transaction) of every open transaction that may have inserted or changed jobs.
   * A prepared transaction (XA) no longer has a process: it keeps its virtual transaction id until
   * the database restarts, and is named -1/... afterwards.
   */
  public static String openWriters() {
    return """
        select distinct virtualtransaction as writer from pg_locks
        where database = (select oid from pg_database where datname = current_database())
          and relation = cast('readpast_job' as regclass) and mode = 'RowExclusiveLock'
          and pid is distinct from pg_backend_pid()""";
  }
}
