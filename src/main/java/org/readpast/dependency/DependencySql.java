package org.readpast.dependency;

import org.readpast.sql.ClaimSql;
import org.readpast.sql.WaitingSql;

/**
 * Contains the statements of the dependency resolver. The statements apply the ends and additions
 * of jobs to the jobs that wait for them.
 *
 * <p>All except the requests of checks require the resolver's lock ({@link #lock()}), so they can
 * count and read without interference from each other. Only callers, handlers and operators write
 * concurrently.
 */
public final class DependencySql {
  private DependencySql() {}

  private static final int LOCK = 1_380_995_925;

  // Advisory locks are shared by all schemas of a database. The key therefore contains the oid of a
  // table, which differs between installations in different schemas.
  private static final String RESOLVER_LOCK =
      LOCK + ", cast(cast('readpast_dependency_event' as regclass) as int)";

  // Returns the assignments that release a job. The parameter is true if the job still waits for
  // another condition.
  private static String released(String waits) {
    return """
        state = case when %1$s then 'BLOCKED' when %2$s then 'AVAILABLE' else 'SCHEDULED' end,
          position = case when not (%1$s) and %2$s then nextval('readpast_position') end
        """
        .formatted(waits, WaitingSql.DUE);
  }

  // Grouping leaves few rows, because thousands of jobs usually have the same values.
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
   * Acquires the resolver's lock until the end of the transaction. The commit does not wait for the
   * disk, because the resolver repeats everything that a crash loses. Returns the column (true if
   * added jobs were not registered yet when the statement was sent). Usually there are no added
   * jobs, and then the resolver need not query for them: each round trip delays the next wave.
   */
  public static String lock() {
    return """
        select %s, set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '5s', true),
          set_config('idle_in_transaction_session_timeout', '15s', true), cast(pg_advisory_xact_lock(%s) as text)"""
        .formatted(WaitingSql.HAS_UNSEEN, RESOLVER_LOCK);
  }

  /**
   * Marks added jobs as registered, and records the queues of their batches. Returns one row for
   * each set of jobs with the same values: (queue, type, priority, state, batch, wave, the group
   * that they wait for, the earliest of their times, what they wait for, the number of jobs).
   * Parameter: ?1 = maximum number of jobs.
   */
  public static String takeUnseen() {
    return moved(
        """
        update readpast_job set unseen = false where id = any(array(
          select id from readpast_job where unseen order by id limit ?1 for update))""",
        """
        , queues as (
          insert into readpast_batch_queue (batch, queue)
          select distinct batch, queue from moved where batch is not null
          on conflict do nothing)""");
  }

  /**
   * Deletes and returns the oldest events: (id, event, job, state, queue, group, true if the job
   * holds the group, batch, wave, true if it was counted, true if other jobs follow it, number of
   * jobs, true if there are more events). An event is returned as one row without a job if it
   * covers several jobs of which only their success matters. For RECHECK, the state is the current
   * state of the job, or null if it is live. Parameter: ?1 = number of jobs; exceeded if the last
   * event covers several jobs.
   */
  public static String takeEvents() {
    return """
        with first as (
          select id, coalesce(cardinality(jobs), 1) as jobs from readpast_dependency_event order by id limit ?1 + 1
        ), before as (
          select id, sum(jobs) over (order by id) - jobs as jobs from first
        ), taken as (
          delete from readpast_dependency_event where id = any(array(
            select id from before where jobs < ?1)) returning *
        ), events as materialized (
          select *, event = 'ENDED' and state = 'COMPLETED' and jobs is not null
              and not exists (select 1 from taken other where other.event not in ('ENDED', 'RECHECK'))
              and not exists (select 1 from readpast_predecessor where predecessor_id = any(jobs))
              and not exists (select 1 from readpast_hold where job_id = any(jobs)) as one_row
          from taken)
        select id, event, job, case when event <> 'RECHECK' then state
            when job is not null and not exists (select 1 from readpast_job where id = job)
            then coalesce((select state from readpast_job_history where id = job), 'COMPLETED') end,
          queue, group_key, group_holds, batch, wave, counted,
          job is not null and exists (select 1 from readpast_predecessor p where p.predecessor_id = job),
          case when one_row then cardinality(jobs) else 1 end, (select max(jobs) >= ?1 from before)
        from events cross join lateral unnest(
          case when one_row then array[cast(null as bigint)] else coalesce(jobs, array[job_id]) end) as job
        order by id""";
  }

  /**
   * Changes the counts of waves. Returns (batch) of each wave that no longer has live jobs.
   * Parameters: arrays of equal length: ?1 = batch, ?2 = wave, ?3 = live, ?4 = completed, ?5 =
   * discarded, ?6 = cancelled, ?7 = expired.
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

  // Builds a statement that changes at most ?2 followers of the ended jobs ?1, in the order of
  // their ids. If a job has more than ?2 followers, an event makes a later transaction continue, on
  // any node. The ranges and row addresses keep the plan efficient: nearly all rows may belong to
  // one predecessor, and while the statistics show no followers, the planner would otherwise
  // compare all rows with all others.
  private static String someFollowers(String which, String change) {
    return """
        with picked as materialized (
          select f.* from unnest(cast(?1 as bigint[])) e(id) cross join lateral (
            select ctid as address, job_id, predecessor_id from readpast_predecessor
            where predecessor_id = e.id and predecessor_id between e.id and e.id and %1$s
            order by predecessor_id, ended_as, job_id limit ?2) f
          limit ?2
        ), rest as (
          insert into readpast_dependency_event (event, job_id)
          select 'RECHECK', e.id from unnest(cast(?1 as bigint[])) e(id)
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

  /**
   * Notifies followers of jobs that succeeded. Returns the column (follower). Parameters: ?1 =
   * predecessors, ?2 = maximum number of followers.
   */
  public static String notifyOfSuccess() {
    return someFollowers("true", "delete from readpast_predecessor p");
  }

  /**
   * Notifies followers of jobs that ended without success. Returns the columns (follower, its
   * failure policy). Parameters: ?1 = predecessors, ?2 = maximum number of followers, ?3 = final
   * states of the predecessors, an array as long as ?1.
   */
  public static String notifyOfFailure() {
    return someFollowers(
            "ended_as is null",
            """
            update readpast_predecessor p set decided = true,
              ended_as = (cast(?3 as text[]))[array_position(cast(?1 as bigint[]), p.predecessor_id)]""")
        + ", p.on_failure";
  }

  /**
   * Stops checking the predecessors of jobs that ended without success. Parameter: ?1 = the ended
   * jobs.
   */
  public static String stopChecking() {
    return "update readpast_predecessor set decided = true where job_id = any(cast(?1 as bigint[])) and not decided";
  }

  /**
   * Makes jobs that were reset wait for their predecessors again, and makes their followers wait
   * for them. Parameter: ?1 = the reset jobs.
   */
  public static String awaitAgain() {
    return """
        update readpast_predecessor p set ended_as = null, decided = false, seen_at = null, first_check = null
        where (job_id = any(cast(?1 as bigint[])) or predecessor_id = any(cast(?1 as bigint[])))
          and exists (select 1 from readpast_job j where j.id = p.job_id and j.waits_for = 'PREDECESSOR')""";
  }

  // This common table expression is the first of every statement that records writers.
  private static final String WRITERS = "now as materialized (" + ClaimSql.openWriters() + ")";

  // A writer that is seen for the first time may have been opened at any time after the previous
  // check. After a restart of the database, a prepared transaction is named -1/..., and its earlier
  // name, which tells its age, is unknown.
  private static final String NOTE_WRITERS =
      """
      update readpast_writers w set check_no = check_no + 1, known = (
          select coalesce(jsonb_object_agg(writer, case when starts_with(writer, '-1/') then 0
            else coalesce(cast(w.known ->> writer as bigint), w.check_no) end), '{}') from now)""";

  /**
   * Records the open transactions that may have written jobs. Returns (number of a check): anything
   * that was first seen at an earlier check was seen before any of the open transactions began. The
   * statement is separate, because only the next statement is certain to see all rows that the
   * ended transactions have committed.
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
   * Returns the states of predecessors that have not been checked yet: (predecessor, follower,
   * final state of the predecessor or null). Each predecessor is read only once. Parameters: ?1 =
   * maximum number, ?2 = result of {@link #checkWriters()}.
   */
  public static String checkNewPredecessors() {
    return checkPredecessors(NEW_PREDECESSORS);
  }

  /**
   * Returns the states of predecessors like {@link #checkNewPredecessors()}. Also returns, up to
   * the same number, predecessors that can be decided because every writer has ended that was open
   * when they were first seen; each is read only once. Returns at most the newest hundred of the
   * predecessors that cannot be decided, because the resolver may just have missed their ends.
   */
  public static String checkPredecessors() {
    return checkPredecessors(
        NEW_PREDECESSORS
            + """
             union all
            (select ctid as address, * from readpast_predecessor
              where not decided and first_check between (select 0) and (select cast(?2 as bigint) - 1)
              order by first_check, predecessor_id, job_id limit ?1)
            union all
            (select ctid as address, * from readpast_predecessor
              where not decided and first_check between (select cast(?2 as bigint)) and\s"""
            + ClaimSql.LAST_ID
            + " order by first_check desc, predecessor_id desc, job_id desc limit 100)");
  }

  private static String checkPredecessors(String which) {
    // If a predecessor is not stored, it was deleted, or the open transaction that inserts it has
    // not committed yet. A predecessor that is still live may be ending in a transaction whose
    // snapshot does not contain its follower. A follower whose predecessor is deleted or live can
    // be decided once all transactions that were open when the follower was first seen have ended.
    // Reading the open transactions would take most of the time of the statement. The next check
    // reads the open transactions anyway, but then includes transactions that have begun in the
    // meantime, which delays the decision. Open transactions are therefore read only if a follower
    // has to wait for the decision: if its predecessor is not stored, or if a transaction has
    // written or locked the row of the predecessor. Within this statement, readpast_writers
    // contains the number from before the update.
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
            decided = p.decided or (seen.old and lives_held_by is not null)
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
   * Releases jobs whose predecessors have all ended, unless a predecessor was reset since. Returns
   * the columns of {@link #takeUnseen()}. Parameter: ?1 = jobs.
   */
  public static String releaseAfterPredecessors() {
    // The comparisons are written as ranges to keep the plan efficient. Without the ranges, while
    // the statistics show no followers, the planner would compare every row with all other rows,
    // and hold the ids of all jobs in memory to find a few of them.
    return moved(
        "update readpast_job j set waits_for = case when batch is not null then 'WAVE' "
            + "when group_key is not null then 'GROUP' end, "
            + "unseen = unseen and batch is not null, "
            + released("batch is not null or group_key is not null")
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

  // The wave is a range and part of the order; otherwise the planner may use a different index on
  // the id, and read past all other jobs.
  private static final String WAITING =
      """
      from readpast_batch b
          cross join lateral %s open(no)
          cross join lateral (
            select * from readpast_job
            where batch = b.id and %s and wave between open.no and open.no
              and waits_for = 'WAVE' and state = 'BLOCKED' and not unseen
            order by wave, id limit ?2) w
          where b.id = any(cast(?1 as bigint[])) and b.cancelled_at is null and b.held_at is null"""
          .formatted(WaitingSql.OPEN_WAVE.formatted("b.id"), ClaimSql.ANY_BATCH);

  /**
   * Finds the first jobs that {@link #releaseWaves()} would release. Returns one row for each set
   * of jobs with the same values: (batch, wave, queue, type, priority, true if they wait for
   * nothing else, number of jobs, number of live jobs of the wave). If at least ?3 jobs of a set
   * wait for nothing else, the statement requests another check of their wave like {@link
   * #requestCheck()}. Parameters: ?1 = batches, ?2 = maximum number for each batch, ?3 = a number
   * of jobs, or null.
   */
  public static String waiting() {
    return "with found as (select w.batch, w.wave, w.queue, w.type, w.priority, "
        + "w.group_key is null and "
        + WaitingSql.DUE
        + " as ready, count(*) as jobs, "
        + "(select live from readpast_wave where batch = w.batch and no = w.wave) as live "
        + WAITING
        + """
         group by 1, 2, 3, 4, 5, 6
        ), look as (
          insert into readpast_dependency_event (event, batch, wave)
          select 'RECHECK', batch, wave from found where ready and jobs >= cast(?3 as int))
        select * from found""";
  }

  /**
   * Releases the jobs of the lowest waves of batches, except jobs that are not registered yet.
   * Returns the columns of {@link #takeUnseen()}. Parameters: ?1 = batches, ?2 = maximum number for
   * each batch.
   */
  public static String releaseWaves() {
    // The statement updates jobs by their ids. A direct comparison with waits_for would make the
    // planner read the index of all waiting jobs. A job of an open wave may be RUNNING already.
    return moved(
        "update readpast_job set waits_for = case when group_key is not null then 'GROUP' end, "
            + released("group_key is not null")
            + " where waits_for || '' = 'WAVE' and state = 'BLOCKED' and id = any(array(select w.id "
            + WAITING
            + " order by 1))");
  }

  /**
   * Releases as many jobs of each group as may run. If a group is held, only the jobs that hold it
   * are released. No job is released while an event is pending that may make a job hold the group.
   * Returns the columns of {@link #takeUnseen()}. Parameters: arrays of equal length: ?1 = queues,
   * ?2 = groups.
   */
  public static String releaseGroups() {
    // Written in this form, the query reads the first jobs of a group from the index, in order.
    // With a join to the batch, the query would read and sort all waiting jobs of the group each
    // time.
    return moved(
        "update readpast_job set waits_for = null, unseen = false, "
            + released("false")
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
              select 1 from readpast_dependency_event e where e.event = 'ENDED' and e.state = 'DISCARDED' and e.group_holds
                and e.queue = g.queue and e.group_key = g.key)
            and n.place <= coalesce(own.concurrency, 1) - (
              select count(*) from readpast_job a
              where a.queue = g.queue and a.group_key = g.key and a.waits_for is null)
            - case when (g.queue, g.key) not in (select queue, group_key from next) then 0
              when coalesce(own.concurrency, 1) = 1 then 1
              else (select count(*) from next where queue = g.queue and group_key = g.key) end
          order by 1))"""
                .formatted(WaitingSql.RUNNING_NEXT_IN_GROUP, ClaimSql.ANY_ID));
  }

  /** Seals batches. Parameter: ?1 = batches. */
  public static String seal() {
    return """
        update readpast_batch set sealed_at = clock_timestamp()
        where id = any(cast(?1 as bigint[])) and sealed_at is null""";
  }

  /** Holds batches: their jobs that wait for a wave are not released. Parameter: ?1 = batches. */
  public static String hold() {
    return """
        update readpast_batch set held_at = clock_timestamp()
        where id = any(cast(?1 as bigint[])) and held_at is null and finished_at is null and cancelled_at is null""";
  }

  /** Ends the hold of batches. Parameter: ?1 = batches. */
  public static String release() {
    return "update readpast_batch set held_at = null where id = any(cast(?1 as bigint[])) and held_at is not null";
  }

  /**
   * Locks sealed batches that have no live jobs and to which no open transaction is adding jobs:
   * the given batches, and all batches that are not finished. Returns the column (id). Parameter:
   * ?1 = batches.
   */
  public static String lockFinishable() {
    return """
        select id from readpast_batch b where sealed_at is not null
          and (id = any(cast(?1 as bigint[])) or finished_at is null)
          and not exists (select 1 from readpast_wave w where w.batch = b.id and w.live > 0)
        order by id limit 1000 for update skip locked""";
  }

  /**
   * Finishes the given batches that have no live jobs. Returns the columns (id, true if all jobs of
   * the batch succeeded). Parameter: ?1 = batches.
   */
  public static String finish() {
    return """
        with done as (
          update readpast_batch b set finished_at = coalesce(finished_at, clock_timestamp()), held_at = null
          where id = any(cast(?1 as bigint[])) and not exists (select 1 from readpast_job where batch = b.id)
            and not exists (select 1 from readpast_dependency_event where batch = b.id and (event <> 'RECHECK' or wave is null))
          returning id)
        select id, not exists (select 1 from readpast_wave w
          where w.batch = done.id and w.discarded + w.cancelled + w.expired > 0)
        from done""";
  }

  /**
   * Marks callbacks of batches as called, unless they were called before: the first one, and up to
   * 99 others that ?3 allows. Returns the columns (callback, queue, type, priority, max attempts,
   * correlation id, properties, payload, enqueuer and the enqueuer's roles as lines, id that the
   * job must have or null, true if more callbacks may be due). Parameters: ?1 = batches, ?2 =
   * event, ?3 = maximum bytes of payloads and properties.
   */
  public static String takeCallbacks() {
    // The limit bounds the payloads that are read only for their size.
    return """
        with due as materialized (
          select id, row_number() over before as no, sum(octet_length(cast(payload as text))
              + coalesce(octet_length(cast(properties as text)), 0)) over before as bytes
          from readpast_callback c
          where fired_at is null and event = ?2 and batch = any(cast(?1 as bigint[]))
            and not exists (
              select 1 from readpast_callback f
              where f.batch = c.batch and f.event = c.event and f.fired_at is not null)
            and id = (select min(id) from readpast_callback f where f.batch = c.batch and f.event = c.event)
          window before as (order by id rows unbounded preceding)
          order by id limit 100
        )
        update readpast_callback set fired_at = clock_timestamp()
        where id = any(array(select id from due where no = 1 or bytes <= cast(?3 as bigint))) and fired_at is null
        returning id, queue, type, priority, max_attempts, correlation_id, cast(properties as text),
          cast(payload as text), enqueued_by || coalesce(chr(10) || enqueuer_roles, ''), reserved_id,
          exists (select 1 from due where no = 100 or no > 1 and bytes > cast(?3 as bigint))""";
  }

  /**
   * Finds batches in which a job was ever discarded. Returns the column (batch). Parameter: ?1 =
   * batches.
   */
  public static String withDiscarded() {
    return """
        select distinct batch from readpast_wave where batch = any(cast(?1 as bigint[])) and discarded > 0 order by 1""";
  }

  /**
   * Records the job that was enqueued for a callback, and deletes the content that the job now has.
   * Parameters: ?1 = callback, ?2 = job.
   */
  public static String recordCallbackJob() {
    return "update readpast_callback set job_id = ?2, payload = '{}', properties = null where id = ?1";
  }

  /**
   * Requests another check of each given group that has a running job which was leased as the next
   * job of its group. Parameters: arrays of equal length: ?1 = queues, ?2 = groups.
   */
  public static String requestGroupCheck() {
    return """
        insert into readpast_dependency_event (event, queue, group_key)
        select distinct 'RECHECK', n.queue, n.group_key
        from (%s) n join unnest(cast(?1 as text[]), cast(?2 as text[])) g(queue, key)
          on g.queue = n.queue and g.key = n.group_key"""
        .formatted(WaitingSql.RUNNING_NEXT_IN_GROUP);
  }

  /**
   * Requests another check of batches or waves. Parameters: arrays of equal length: ?1 = batches,
   * ?2 = waves or null.
   */
  public static String requestCheck() {
    return """
        insert into readpast_dependency_event (event, batch, wave)
        select 'RECHECK', b.* from unnest(cast(?1 as bigint[]), cast(?2 as int[])) b""";
  }
}
