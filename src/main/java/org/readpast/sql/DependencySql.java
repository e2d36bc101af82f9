package org.readpast.sql;

/**
 * Statements of the settlement: what the ends and the additions of jobs mean for those that wait
 * for them.
 *
 * <p>All but {@link #pending()} are for who holds the settle lock, so they may count and look
 * without regard to each other; only callers, handlers and operators write beside them.
 */
public final class DependencySql {
  private DependencySql() {}

  private static final int LOCK = 1_380_995_925;

  // Advisory locks belong to the whole database: the table tells installations in several schemas
  // apart.
  private static final String SETTLE_LOCK =
      LOCK + ", cast(cast('readpast_settle' as regclass) as int)";

  /**
   * Takes the lock for counting how deep queues are, to the end of the transaction, if it is free.
   */
  public static final String TRY_DEPTH_LOCK =
      "pg_try_advisory_xact_lock(" + LOCK + ", cast(cast('readpast_depth' as regclass) as int))";

  // Without the range the planner, which may have seen them by the thousand, would expect to meet
  // one soon if it just read the table.
  private static final String JOBS_CAME =
      "exists (select 1 from readpast_job where unsettled and " + ClaimSql.ANY_ID + ")";

  // What a job becomes that waits for nothing any more.
  private static final String FREED =
      """
      state = case when %1$s then 'BLOCKED' when available_at > clock_timestamp() then 'SCHEDULED'
          else 'AVAILABLE' end,
        position = case when %1$s or available_at > clock_timestamp() then null
          else nextval('readpast_position') end
      """;

  // By the thousand they differ in next to nothing that is asked for.
  private static String moved(String update) {
    return moved(update, "");
  }

  private static String moved(String update, String more) {
    return "with moved as ("
        + update
        + """
         returning queue, type, priority, state, batch, wave,
            case when waits_for = 'GROUP' then group_key end as group_key, available_at, waits_for)"""
        + more
        + """

        select queue, type, priority, state, batch, wave, group_key, min(available_at), waits_for, count(*)
        from moved group by queue, type, priority, state, batch, wave, group_key, waits_for""";
  }

  /**
   * Takes the settle lock to the end of the transaction. Its commit need not reach the disk: what
   * is lost with it is settled again. Gives (whether jobs were added when it was sent), so that
   * usually nothing more is asked of them: each round trip counts between two waves.
   */
  public static String lock() {
    return """
        select %s, set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '5s', true),
          set_config('idle_in_transaction_session_timeout', '15s', true), cast(pg_advisory_xact_lock(%s) as text)"""
        .formatted(JOBS_CAME, SETTLE_LOCK);
  }

  /** Gives a row when there may be something to settle. */
  public static String pending() {
    return """
        select 1 where exists (select 1 from readpast_settle)
          or %s
          or exists (select 1 from readpast_predecessor where not settled)
          or exists (
            select 1 from readpast_batch b where sealed_at is not null and finished_at is null
              and not exists (select 1 from readpast_wave w where w.batch = b.id and w.live > 0))"""
        .formatted(JOBS_CAME);
  }

  /**
   * 1: how many. Marks added jobs as registered, records the queues of their batches, and counts
   * those alike. Gives (queue, type, priority, state, batch, wave, the group that they wait for a
   * turn in, first available at, what they wait for, how many jobs) of those alike.
   */
  public static String takeAdded() {
    return moved(
        """
        update readpast_job set unsettled = false where id = any(array(
          select id from readpast_job where unsettled order by id limit ?1 for update))""",
        """
        , queues as (
          insert into readpast_batch_queue (batch, queue)
          select distinct batch, queue from moved where batch is not null
          on conflict do nothing)""");
  }

  /**
   * 1: how many, or as many more as were told together with the last. Takes what has happened.
   * Gives (id, event, job, state, queue, group, whether it holds the group, batch, wave, whether it
   * was counted, whether others come after it, how many jobs, whether more has happened); of jobs
   * that were told together and of which nothing is to be known but that they are through, one row
   * without a job. LOOK gives the state of a job as it is now, null if it is live.
   */
  public static String takeEvents() {
    return """
        with first as (
          select id, coalesce(cardinality(jobs), 1) as jobs from readpast_settle order by id limit ?1 + 1
        ), before as (
          select id, sum(jobs) over (order by id) - jobs as jobs from first
        ), taken as (
          delete from readpast_settle where id = any(array(
            select id from before where jobs < ?1)) returning *
        ), told as materialized (
          select *, event = 'ENDED' and state = 'COMPLETED' and jobs is not null
              and not exists (select 1 from taken other where other.event not in ('ENDED', 'LOOK'))
              and not exists (select 1 from readpast_predecessor where predecessor_id = any(jobs))
              and not exists (select 1 from readpast_hold where job_id = any(jobs)) as through
          from taken)
        select id, event, job, case when event <> 'LOOK' then state
            when job is not null and not exists (select 1 from readpast_job where id = job)
            then coalesce((select state from readpast_job_history where id = job), 'COMPLETED') end,
          queue, group_key, group_holds, batch, wave, counted,
          job is not null and exists (select 1 from readpast_predecessor p where p.predecessor_id = job),
          case when through then cardinality(jobs) else 1 end, (select max(jobs) >= ?1 from before)
        from told cross join lateral unnest(
          case when through then array[cast(null as bigint)] else coalesce(jobs, array[job_id]) end) as job
        order by id""";
  }

  /**
   * Counts, arrays of equal length. 1: batch, 2: wave, 3: live, 4: completed, 5: discarded, 6:
   * cancelled, 7: expired. Gives (batch) of each wave that has no live job now.
   */
  public static String count() {
    return """
        with counted as (
        insert into readpast_wave as w (batch, no, live, completed, discarded, cancelled, expired)
        select c.batch, c.wave, c.live, c.completed, c.discarded, c.cancelled, c.expired
        from unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as int[]), cast(?4 as int[]), cast(?5 as int[]),
          cast(?6 as int[]), cast(?7 as int[])) as c(batch, wave, live, completed, discarded, cancelled, expired)
        on conflict (batch, no) do update set live = w.live + excluded.live,
          completed = w.completed + excluded.completed, discarded = w.discarded + excluded.discarded,
          cancelled = w.cancelled + excluded.cancelled, expired = w.expired + excluded.expired
        returning batch, live)
        select batch from counted where live = 0""";
  }

  // Followers of jobs that have ended (1), as many as 2, in the order of their ids; changed by what
  // comes behind. Jobs that have more are noted, for another transaction of any node. The ranges
  // are there for the plan: nearly all rows may be of one predecessor. So are the row's addresses:
  // where there were no followers before, the planner would compare all with all.
  private static String someFollowers(String which, String change) {
    return """
        with picked as materialized (
          select f.* from unnest(cast(?1 as bigint[])) e(id) cross join lateral (
            select ctid as address, job_id, predecessor_id from readpast_predecessor
            where predecessor_id = e.id and predecessor_id between e.id and e.id and %1$s
            order by predecessor_id, ended_as, job_id limit ?2) f
          limit ?2
        ), rest as (
          insert into readpast_settle (event, job_id)
          select 'LOOK', e.id from unnest(cast(?1 as bigint[])) e(id)
          where (select count(*) from picked) = ?2 and exists (
            select 1 from readpast_predecessor
            where predecessor_id = e.id and predecessor_id between e.id and e.id and %1$s
              and (job_id, predecessor_id) not in (select job_id, predecessor_id from picked))
        )
        %2$s
        where p.ctid = any(array(select address from picked))
        returning p.job_id"""
        .formatted(which, change);
  }

  /** 1: predecessors that ended well, 2: how many. Gives (follower). */
  public static String endedWell() {
    return someFollowers("true", "delete from readpast_predecessor p");
  }

  /**
   * 1: predecessors that ended badly, 2: how many, 3: how they ended, an array as long as the
   * first. Gives (follower, what becomes of it).
   */
  public static String endedBadly() {
    return someFollowers(
            "ended_as is null",
            """
            update readpast_predecessor p set settled = true,
              ended_as = (cast(?3 as text[]))[array_position(cast(?1 as bigint[]), p.predecessor_id)]""")
        + ", p.on_failure";
  }

  /** 1: jobs that ended badly. While they have ended nobody need look for their predecessors. */
  public static String rest() {
    return "update readpast_predecessor set settled = true where job_id = any(cast(?1 as bigint[])) and not settled";
  }

  /** 1: jobs that were reset. They wait for their predecessors, and their followers for them. */
  public static String awaitAgain() {
    return """
        update readpast_predecessor p set ended_as = null, settled = false, seen_at = null, first_check = null
        where (job_id = any(cast(?1 as bigint[])) or predecessor_id = any(cast(?1 as bigint[])))
          and exists (select 1 from readpast_job j where j.id = p.job_id and j.waits_for = 'PREDECESSOR')""";
  }

  // A common table expression, which every statement that notes writers begins with.
  private static final String WRITERS = "now as materialized (" + ClaimSql.openWriters() + ")";

  // A writer that is met for the first time may have been open at any moment since the check
  // before.
  // A prepared one is called -1/... after the database was started anew. Its name before that, and
  // with it its age, is unknown.
  private static final String NOTE_WRITERS =
      """
      update readpast_writers w set check_no = check_no + 1, known = (
          select coalesce(jsonb_object_agg(writer, case when starts_with(writer, '-1/') then 0
            else coalesce(cast(w.known ->> writer as bigint), w.check_no) end), '{}') from now)""";

  /**
   * Notes the transactions that are open and may have written jobs. Gives (number): what was first
   * seen at a check with a lower one was seen before each of these began. It is to be a statement
   * of its own: only the next one is sure to see what those have committed that have ended.
   */
  public static String checkWriters() {
    return """
        with %s, noted as (
          %s
          where known <> '{}' or exists (select 1 from now)
          returning (select min(cast(value as bigint)) from jsonb_each_text(w.known)) as since)
        select coalesce((select since from noted), 9223372036854775807)"""
        .formatted(WRITERS, NOTE_WRITERS);
  }

  private static final String NEW_PREDECESSORS =
      """
      (select ctid as address, * from readpast_predecessor where first_check is null order by predecessor_id, job_id limit ?1)""";

  /**
   * Looks how the predecessors stand that nobody has looked at yet. 1: how many, 2: {@link
   * #checkWriters()}. Gives (predecessor, follower, how the predecessor ended or null). None is
   * read twice.
   */
  public static String lookAtNewPredecessors() {
    return lookAtPredecessors(NEW_PREDECESSORS);
  }

  /**
   * Reads also as many that can be decided, because every writer has ended that was open when they
   * were first seen; none of them is read twice either. Of those that cannot be decided, however
   * many, it reads the newest hundred: the end of their predecessor may just have been missed.
   */
  public static String lookAtPredecessors() {
    return lookAtPredecessors(
        NEW_PREDECESSORS
            + """
             union all
            (select ctid as address, * from readpast_predecessor
              where not settled and first_check between (select 0) and (select cast(?2 as bigint) - 1)
              order by first_check, predecessor_id, job_id limit ?1)
            union all
            (select ctid as address, * from readpast_predecessor
              where not settled and first_check between (select cast(?2 as bigint)) and\s"""
            + ClaimSql.LAST_ID
            + " order by first_check desc, predecessor_id desc, job_id desc limit 100)");
  }

  private static String lookAtPredecessors(String which) {
    // A predecessor that is nowhere was stored once, or is being stored by a transaction that is
    // still open; one that lives may be ending in a transaction that cannot see its follower.
    // Both are settled once the transactions are through that were open when this was first seen.
    // To read which these are takes longer than all the rest, and the next check does so anyway,
    // but counts those in that begin before it. So they are read now only where a follower would
    // have to wait for these: of a predecessor that is nowhere, or whose row some transaction has
    // written or locked. The table of writers shows its number as it was before.
    return """
        with %s, seen as materialized (
          select p.address, p.predecessor_id, p.job_id, p.first_check,
            (select cast(xmax as text) from readpast_job where id = p.predecessor_id) as lives_held_by,
            (select state from readpast_job_history where id = p.predecessor_id) as ended_as,
            coalesce(p.first_check < cast(?2 as bigint), false) as old
          from (%s) p
        ), checked as (
          %s
          where exists (
            select 1 from seen
            where first_check is null and ended_as is null and coalesce(lives_held_by, '') <> '0')
        ), noted as (
          update readpast_predecessor p set seen_at = coalesce(p.seen_at, clock_timestamp()),
            first_check = coalesce(p.first_check, (select check_no from readpast_writers)),
            settled = p.settled or (seen.old and lives_held_by is not null)
          from seen where p.ctid = seen.address
            and (p.first_check is null or (seen.old and lives_held_by is not null))
        )
        select predecessor_id, job_id,
          case when lives_held_by is not null then null when ended_as is not null then ended_as
            when old then 'COMPLETED' end
        from seen order by 1, 2"""
        .formatted(WRITERS, which, NOTE_WRITERS);
  }

  /**
   * 1: jobs. Lets those go on whose predecessors are all through, and not one of them reset since;
   * gives them as {@link #takeAdded()} does.
   */
  public static String passPredecessors() {
    // As ranges: else the planner, where there were no followers before, compares all with all, and
    // keeps the ids of all jobs to look for a few.
    return moved(
        "update readpast_job j set waits_for = case when batch is not null then 'WAVE' "
            + "when group_key is not null then 'GROUP' end, "
            + "unsettled = unsettled and batch is not null, "
            + FREED.formatted("(batch is not null or group_key is not null)")
            + """
         where id = any(array(
          select id from readpast_job where id = any(cast(?1 as bigint[])) and waits_for = 'PREDECESSOR'
          order by id for update))
          and waits_for = 'PREDECESSOR' and not exists (
            select 1 from readpast_predecessor p
            where p.job_id between j.id and j.id and (p.ended_as is null or p.on_failure = 'HOLD'
              or exists (
                select 1 from readpast_job again where again.id between p.predecessor_id and p.predecessor_id)))""");
  }

  /**
   * A query (no): the wave of a batch whose jobs may go on, the lowest that lives. None while a
   * lower one is held, or nobody has taken note of a job that was added to one.
   */
  static final String OPEN =
      """
      (select no from (select min(no) from readpast_wave where batch = %1$s and live > 0) lowest(no)
            where no <= coalesce((select min(wave) from readpast_hold where batch = %1$s), no)
              and no <= coalesce((select min(wave) from readpast_job where batch = %1$s and unsettled), no))""";

  // As a range, and ordered by it: else the planner may take another index of ids, and read past
  // all other jobs.
  private static final String WAITING =
      """
      from readpast_batch b
          cross join lateral %s open(no)
          cross join lateral (
            select * from readpast_job
            where batch = b.id and %s and wave between open.no and open.no
              and waits_for = 'WAVE' and state = 'BLOCKED' and not unsettled
            order by wave, id limit ?2) w
          where b.id = any(cast(?1 as bigint[])) and b.cancelled_at is null and b.held_at is null"""
          .formatted(OPEN.formatted("b.id"), ClaimSql.ANY_BATCH);

  /**
   * 1: batches, 2: how many of each. Gives (batch, wave, queue, type, priority, whether they wait
   * for nothing else, how many, how many of the wave have not ended) of those alike among the first
   * that {@link #passWaves()} would let go. Has waves looked at again, as {@link
   * OrderSql#lookAgainAtBatches()} does, of which there are so many that wait for nothing else, 3,
   * or null.
   */
  public static String waiting() {
    return "with found as (select w.batch, w.wave, w.queue, w.type, w.priority, "
        + "w.group_key is null and w.available_at <= clock_timestamp() as ready, count(*) as jobs, "
        + "(select live from readpast_wave where batch = w.batch and no = w.wave) as live "
        + WAITING
        + """
         group by 1, 2, 3, 4, 5, 6
        ), look as (
          insert into readpast_settle (event, batch, wave)
          select 'LOOK', batch, wave from found where ready and jobs >= cast(?3 as int))
        select * from found""";
  }

  /**
   * 1: batches, 2: how many of each. Lets the jobs of their lowest waves go on, but for those added
   * since.
   */
  public static String passWaves() {
    // Those found are updated by their ids: a plain comparison would have the planner go through
    // the index of all that wait. What is RUNNING was claimed straight from its wave.
    return moved(
        "update readpast_job set waits_for = case when group_key is not null then 'GROUP' end, "
            + FREED.formatted("group_key is not null")
            + " where waits_for || '' = 'WAVE' and state = 'BLOCKED' and id = any(array(select w.id "
            + WAITING
            + " order by 1))");
  }

  /**
   * Arrays of equal length. 1: queues, 2: groups. Lets as many of each go on as may. Of a group
   * that is held only those that hold it, and none while somebody has not taken note of a job that
   * may.
   */
  public static String passGroups() {
    // As it stands the first of a group come from the index in its order. Joined to its batch, all
    // that wait in the group would be read and sorted each time.
    return moved(
        "update readpast_job set waits_for = null, unsettled = false, "
            + FREED.formatted("false")
            + """
         where waits_for || '' = 'GROUP' and state = 'BLOCKED' and id = any(array(
          with next as materialized (%s)
          select n.id from unnest(cast(?1 as text[]), cast(?2 as text[])) g(queue, key)
          left join readpast_group own on own.queue = g.queue and own.key = g.key
          cross join lateral (
            select id, row_number() over (order by id) as place from (
              (select id from readpast_job j where queue = g.queue and group_key = g.key and waits_for = 'GROUP'
                and state = 'BLOCKED' and queue between g.queue and g.queue and %s
                and (select cancelled_at from readpast_batch where id = j.batch) is null
                and not exists (select 1 from readpast_hold h where h.queue = g.queue and h.group_key = g.key)
              order by id limit (
                select coalesce(max(concurrency), 1) from readpast_group
                where queue = any(cast(?1 as text[])) and key = any(cast(?2 as text[]))))
              union all
              select j.id from readpast_hold h join readpast_job j on j.id = h.job_id
              where h.queue = g.queue and h.group_key = g.key and j.waits_for || '' = 'GROUP'
                and j.state = 'BLOCKED' and (select cancelled_at from readpast_batch where id = j.batch) is null) first
          ) n
          where not exists (
              select 1 from readpast_settle e where e.event = 'ENDED' and e.state = 'DISCARDED' and e.group_holds
                and e.queue = g.queue and e.group_key = g.key)
            and n.place <= coalesce(own.concurrency, 1) - (
              select count(*) from readpast_job a
              where a.queue = g.queue and a.group_key = g.key and a.waits_for is null)
            - case when (g.queue, g.key) not in (select queue, group_key from next) then 0
              when coalesce(own.concurrency, 1) = 1 then 1
              else (select count(*) from next where queue = g.queue and group_key = g.key) end
          order by 1))"""
                .formatted(OrderSql.NEXT_IN_WORK, ClaimSql.ANY_ID));
  }

  /** 1: batches. Seals them. */
  public static String seal() {
    return """
        update readpast_batch set sealed_at = clock_timestamp()
        where id = any(cast(?1 as bigint[])) and sealed_at is null""";
  }

  /** 1: batches. Keeps their jobs that wait for their wave from going on. */
  public static String hold() {
    return """
        update readpast_batch set held_at = clock_timestamp()
        where id = any(cast(?1 as bigint[])) and held_at is null and finished_at is null and cancelled_at is null""";
  }

  /** 1: batches. They are held no more. */
  public static String release() {
    return "update readpast_batch set held_at = null where id = any(cast(?1 as bigint[])) and held_at is not null";
  }

  /**
   * 1: batches. Locks those of them that are sealed, and any other that is, to which no open
   * transaction is adding: (id).
   */
  public static String sealedAndClosed() {
    return """
        select id from readpast_batch b where sealed_at is not null
          and (id = any(cast(?1 as bigint[])) or finished_at is null)
          and not exists (select 1 from readpast_wave w where w.batch = b.id and w.live > 0)
        order by id limit 1000 for update skip locked""";
  }

  /** 1: batches. Gives (id, whether every job of it ended well) of those that have no live job. */
  public static String through() {
    return """
        with done as (
          update readpast_batch b set finished_at = coalesce(finished_at, clock_timestamp()), held_at = null
          where id = any(cast(?1 as bigint[])) and not exists (select 1 from readpast_job where batch = b.id)
            and not exists (select 1 from readpast_settle where batch = b.id and (event <> 'LOOK' or wave is null))
          returning id)
        select id, not exists (select 1 from readpast_wave w
          where w.batch = done.id and w.discarded + w.cancelled + w.expired > 0)
        from done""";
  }

  /**
   * 1: batches, 2: event. Gives (callback, queue, type, priority, max attempts, correlation id,
   * properties, payload, who said so with their roles as lines, id of its job or null) of those not
   * called yet, and marks them as called.
   */
  public static String call() {
    return """
        update readpast_callback c set fired_at = clock_timestamp()
        where fired_at is null and event = ?2 and batch = any(cast(?1 as bigint[]))
          and not exists (
            select 1 from readpast_callback f
            where f.batch = c.batch and f.event = c.event and f.fired_at is not null)
          and id = (select min(id) from readpast_callback f where f.batch = c.batch and f.event = c.event)
        returning id, queue, type, priority, max_attempts, correlation_id, cast(properties as text),
          cast(payload as text), enqueued_by || coalesce(chr(10) || enqueuer_roles, ''), reserved_id""";
  }

  /** 1: batches. Gives (batch) of those of which a job was ever discarded. */
  public static String withDiscarded() {
    return """
        select distinct batch from readpast_wave where batch = any(cast(?1 as bigint[])) and discarded > 0 order by 1""";
  }

  /** 1: callback, 2: its job. */
  public static String called() {
    return "update readpast_callback set job_id = ?2 where id = ?1";
  }
}
