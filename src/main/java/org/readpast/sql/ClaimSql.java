package org.readpast.sql;

/**
 * The claim: one range read of the index {@code readpast_job_claim} for each lane, most urgent lane
 * first.
 *
 * <p>A lane is a (type, priority) of one queue. Its range starts at the lane's mark, because
 * entries of jobs that have left stay in the index until vacuum comes by, and reading them again at
 * each claim is what makes a queue slow. Parameters of both claims: 1: queue, 2: types, 3:
 * priorities, 4: marks (arrays of equal length, in the order in which the lanes are looked at), 5:
 * ids to leave alone (bigint[]), 6: this node's number.
 */
public final class ClaimSql {
  private ClaimSql() {}

  /** The class of the advisory lock by which a node marks the transactions it works in. */
  public static final int NODE_LOCK = 1_380_995_924;

  /** As many as one claim may take. */
  public static final int MOST = 500;

  // What has a position is AVAILABLE or RUNNING. Asked for what it is not: where nearly all jobs
  // wait, the planner would expect to find none AVAILABLE, and rather read the table than all of a
  // range in vain.
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
  // What says between is there for what it is with ANY_ID; and as a claim then costs the same at
  // all times, the planner does not go back to planning each one.
  private static final String PICK =
      """
      select j.* from unnest(
          (select cast(?2 as text[])), (select cast(?3 as int[])), (select cast(?4 as bigint[])))
        as lane(type, priority, mark)
      cross join lateral (
        select %1$s from readpast_job
        where queue = ?1 and type = lane.type and priority = lane.priority and %5$s
          and queue between ?1 and ?1 and type between lane.type and lane.type
          and priority between lane.priority and lane.priority
          and position >= lane.mark and id <> all(cast((select cast(?5 as bigint[])) as bigint[]))
        order by position limit %3$s
        for update skip locked
      ) j %2$s limit %4$s""";

  // The entries of those that were taken stay in the index: hence from the last id on. A range is
  // said of the batch, not of the wave: the scan would begin with that.
  private static String fromWave(String order) {
    return """
      select id from readpast_job
        where batch = ?4 and (wave, id) > (?5, ?9) and (wave, id) < (?5, ?10)
          and %1$s and waits_for = 'WAVE' and state = 'BLOCKED' and not unsettled
          and queue = ?1 and type = ?2 and priority = ?3 and group_key is null and available_at <= clock_timestamp()
          and (select exists (select 1 from readpast_batch where id = ?4 and cancelled_at is null and held_at is null))
          and %2$s = ?5
        order by %3$s limit cast(?7 as int)
        for update skip locked"""
        .formatted(ANY_BATCH, SettleSql.OPEN.formatted("?4"), order);
  }

  // A node that has thawed may not know yet that it was declared dead, and its permits given away.
  private static final String WHILE_ALIVE =
      "where exists (select 1 from readpast_node n where n.no = ?6 and n.state in ('ACTIVE', 'STOPPING'))";

  // A job comes as two arrays, of its numbers and of its texts: whoever reads a row pays for each
  // column. The last numbers: started, whether it had expired by then (1), where it is in work, and
  // one more. Nearly all jobs are nobody's: to ask is cheaper than to put two nulls together.
  private static final String NUMBERS =
      """
      array[id, priority, position, claim_no, attempt, uncounted, crashes, max_attempts, %s, %s, %s, \
      cast(expires_at <= %s as int), %s, %s]""";
  private static final String TEXTS =
      """
      array[type, unique_key, correlation_id, cast(properties as text), cast(payload as text), content_type, \
      case when enqueued_by is not null then enqueued_by || coalesce(chr(10) || enqueuer_roles, '') end]""";

  /**
   * The columns (numbers, texts) of a job that is leased, by a statement that has its lease: it is
   * where the job is in work, and the last number is 2 in a group, else 1 in a batch.
   */
  static final String LEASED =
      numbers(
              "claimed_at",
              "(select id from lease)",
              "case when group_key is not null then 2 when batch is not null then 1 else 0 end")
          + " as numbers, "
          + TEXTS
          + " as texts";

  /**
   * All jobs of {@link #LEASED} in one row, which is cheaper than a row for each. No more than can
   * be begun in a tenth of a second, as far as can be told: half a gigabyte of payloads fits in.
   * Where more than 500 are, LeasedReceive sees to it.
   */
  static final String ALL_LEASED =
      "array_agg(numbers) filter (where numbers is not null), array_agg(texts) filter (where texts is not null)";

  // What is sent for every job is put together once.
  private static final String SOME = "(select cast(?7 as int))";
  private static final String TAKE = take("", 1, "1");
  private static final String TAKE_WITH_PERMIT = take(WHILE_ALIVE, 1, "1");
  private static final String TAKE_AND_END = takeAndEnd("");
  private static final String TAKE_AND_END_WITH_PERMIT = takeAndEnd(WHILE_ALIVE);
  private static final String TAKE_SOME = take("", MOST, SOME);
  private static final String TAKE_SOME_WITH_PERMIT = take(WHILE_ALIVE, MOST, SOME);
  private static final String LEASE = lease("");
  private static final String LEASE_WITH_PERMIT = lease(WHILE_ALIVE);
  private static final String LEASE_FROM_WAVE = leaseOf(fromWave("wave, id"));
  private static final String LEASE_FROM_END_OF_WAVE = leaseOf(fromWave("wave desc, id desc"));

  /**
   * Takes one job in the transaction that will also end it: nobody else sees it until it commits.
   * Marks the transaction with the node's number, so that it can be found and ended when the node
   * is dead. Gives (numbers, texts): the job is in work on this backend, and the last number is 0.
   */
  public static String take() {
    return TAKE;
  }

  /** The same for several; 7: how many. */
  public static String takeSome() {
    return TAKE_SOME;
  }

  /** The same from a queue with a limit over all nodes. */
  public static String takeWithPermit() {
    return TAKE_WITH_PERMIT;
  }

  /** The same for several; 7: how many. */
  public static String takeSomeWithPermit() {
    return TAKE_SOME_WITH_PERMIT;
  }

  private static String numbers(String started, String place, String more) {
    return NUMBERS.formatted(
        micros("enqueued_at"), micros("available_at"), micros(started), started, place, more);
  }

  /** Since 1970; exact for some hundred years. */
  private static String micros(String moment) {
    return "cast(date_part('epoch', " + moment + ") * 1000000 as bigint)";
  }

  private static String taken(String gone) {
    return "select "
        + numbers("clock_timestamp()", "pg_backend_pid()", gone)
        + ", "
        + TEXTS
        + ", "
        + mark("?6");
  }

  private static String take(String guard, int atMost, String most) {
    return taken("0") + " from (" + PICK.formatted("*", guard, atMost, most, AVAILABLE) + ") job";
  }

  /**
   * Takes one job as {@link #take()} does, and ends it COMPLETED at once if it needs nothing but to
   * go: whatever follows in the transaction commits with that, or brings the job back. Not for jobs
   * that are kept. The last number is 1 if it has.
   */
  public static String takeAndEnd() {
    return TAKE_AND_END;
  }

  /** The same from a queue with a limit over all nodes. */
  public static String takeAndEndWithPermit() {
    return TAKE_AND_END_WITH_PERMIT;
  }

  private static String takeAndEnd(String guard) {
    return "with job as materialized ("
        + PICK.formatted("ctid as place, *", guard, 1, "1", AVAILABLE)
        + "), gone as (delete from readpast_job j where ctid = any(array(select place from job)) and "
        + EndSql.NEEDS_NOTHING
        + " returning 1) "
        + taken("cast(exists (select 1 from gone) as int)")
        + " from job";
  }

  /**
   * Takes jobs and marks them RUNNING, and the transaction as {@link #take()} does; 7: how many, 8:
   * this node allows them so many ms. Gives one row (their numbers, their texts).
   */
  public static String lease() {
    return LEASE;
  }

  /** The same from a queue with a limit over all nodes. */
  public static String leaseWithPermit() {
    return LEASE_WITH_PERMIT;
  }

  private static String lease(String guard) {
    return leaseOf(PICK.formatted("id", guard, MOST, SOME, AVAILABLE));
  }

  private static String leaseOf(String pick) {
    return "with picked as materialized (select array("
        + pick
        + """
        ) as jobs), lease as (
          insert into readpast_lease (node, jobs, deadline)
          select ?6, jobs, clock_timestamp() + cast(?8 as bigint) * interval '1 millisecond'
          from picked where jobs <> '{}' returning id,\s"""
        + mark("?6")
        + "), leased as (update readpast_job set "
        + running("?6", "?8", "false")
        + " where id = any(cast((select jobs from picked) as bigint[])) returning "
        + LEASED
        + ") select "
        + ALL_LEASED
        + " from leased";
  }

  /**
   * Takes jobs straight from a wave that is open, and marks them RUNNING as {@link #lease()} does:
   * they still say that they wait for it, so that no index is written. 1: queue, 2: type, 3:
   * priority, 4: batch, 5: wave, 6: node, 7: how many, 8: this node allows them so many ms, 9 and
   * 10: ids after and before which they are. Gives what that gives.
   */
  public static String leaseFromWave() {
    return LEASE_FROM_WAVE;
  }

  /** The same from the end of the wave. */
  public static String leaseFromEndOfWave() {
    return LEASE_FROM_END_OF_WAVE;
  }

  /** What a lease makes of a job; allowed: how many ms. The clock is read once, not per row. */
  static String running(String node, String allowed, String cautious) {
    return """
        state = 'RUNNING', owner = %s, claim_no = claim_no + 1, attempt = attempt + 1,
        claimed_at = (select clock_timestamp()),
        deadline = (select clock_timestamp() + cast(%s as bigint) * interval '1 millisecond'),
        cautious = %s, alone = false"""
        .formatted(node, allowed, cautious);
  }

  /** A column that marks the transaction: in a select of its own it is done once, not per row. */
  static String mark(String node) {
    return "(select pg_try_advisory_xact_lock_shared(" + NODE_LOCK + ", " + node + "))";
  }

  /**
   * Turns a job just taken into a lease. 1: id, 2: claim_no, 3: node, 4: this node allows it so
   * many ms, 5: whether a work transaction follows. Gives (claim_no, lease).
   */
  public static String leaseTaken() {
    return """
        with lease as (
          insert into readpast_lease (node, jobs, deadline)
          values (?3, array[cast(?1 as bigint)], clock_timestamp() + cast(?4 as bigint) * interval '1 millisecond')
          returning id)
        update readpast_job set\s"""
        + running("?3", "?4", "?5")
        + " where id = ?1 and claim_no = ?2 and state = 'AVAILABLE' returning claim_no, (select id from lease)";
  }

  /**
   * 1: node. Marks any other transaction as {@link #take()} marks its own. Gives (backend's pid).
   */
  public static String markWork() {
    return "select pg_backend_pid(), pg_try_advisory_xact_lock_shared(" + NODE_LOCK + ", ?1)";
  }

  /** 1: id, 2: claim_no, 3: whether nothing else is in work on the owner. */
  public static String markAlone() {
    return "update readpast_job set alone = ?3 where id = ?1 and claim_no = ?2 and state = 'RUNNING'";
  }

  /** 1: id, 2: claim_no, 3: so many ms longer it may be in work. */
  public static String postpone() {
    return """
        update readpast_job set deadline = deadline + cast(?3 as bigint) * interval '1 millisecond'
        where id = ?1 and claim_no = ?2 and state = 'RUNNING'""";
  }

  /** 1: id, 2: claim_no. Gives a row while this claim owns the job. */
  public static String owned() {
    return "select 1 from readpast_job where id = ?1 and claim_no = ?2 and state = 'RUNNING'";
  }

  /**
   * 1: queues, 2: types, 3: marks, arrays of equal length. Gives a row (null, ms until the next
   * scheduled job is due or null, whether there may be something to settle), and (queue, null,
   * null) of each queue that has something of that type to claim at or after the mark.
   */
  public static String look() {
    // In the order of the index: any row would do, but then the planner hopes to meet one soon if
    // it just reads the table. The ranges are there as in PICK.
    return "select cast(null as text), ("
        + HousekeepingSql.nextDue()
        + "), exists ("
        + SettleSql.pending()
        + ") union all "
        + """
        select distinct queue, cast(null as bigint), cast(null as boolean)
        from unnest(cast(?1 as text[]), cast(?2 as text[]), cast(?3 as bigint[])) as l(q, t, mark)
        cross join lateral (
          select queue from readpast_job
          where queue = q and type = t and %s and position >= mark
            and queue between q and q and type between t and t
          order by priority, position limit 1) j"""
            .formatted(AVAILABLE);
  }

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

  /** Gives (last position drawn). */
  public static String lastPosition() {
    // A sequence that was never drawn from says 1 too.
    return "select case when is_called then last_value else 0 end from readpast_position";
  }

  /**
   * Gives (virtual transaction) of every open transaction that may have inserted or changed jobs.
   * One that is prepared (XA) has no process any more; it keeps its virtual transaction until the
   * database restarts, and is -1/... from then on.
   */
  public static String openWriters() {
    return """
        select distinct virtualtransaction from pg_locks
        where relation = cast('readpast_job' as regclass) and mode = 'RowExclusiveLock'
          and pid is distinct from pg_backend_pid()""";
  }
}
