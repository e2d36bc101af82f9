package org.readpast.admin.sql;

/** Holds the statements for operators' changes. */
public final class AdminSql {
  private AdminSql() {}

  // No worker and no dependency resolver locks a job in the following states.
  private static final String WAITING = "state in ('AVAILABLE', 'SCHEDULED')";

  private static final String NOT_REQUESTED =
      "not exists (select 1 from readpast_cancellation c where c.job_id = readpast_job.id)";

  /**
   * Locks a job that neither waits for other jobs nor is running, unless another transaction has
   * locked its row. Returns the column (state). Parameter: ?1 = id.
   */
  public static String lockOneWaiting() {
    return "select state from readpast_job where id = ?1 and "
        + WAITING
        + " for update skip locked";
  }

  /** Returns (state) of a live job. Parameter: ?1 = id. */
  public static String liveState() {
    return "select state from readpast_job where id = ?1";
  }

  /**
   * Locks the given jobs that neither wait for other jobs nor are running; skips rows that are
   * locked. Returns the column (id). Parameter: ?1 = ids.
   */
  public static String lockWaiting() {
    return """
        select id from readpast_job where id = any(cast(?1 as bigint[])) and %s
        order by id for update skip locked"""
        .formatted(WAITING);
  }

  /**
   * Records cancellation requests for the given jobs that are live and do not wait for other jobs.
   * Parameter: ?1 = ids.
   */
  public static String askCancellations() {
    return """
        insert into readpast_cancellation (job_id)
        select id from readpast_job where id = any(cast(?1 as bigint[])) and state <> 'BLOCKED' and %s"""
        .formatted(NOT_REQUESTED);
  }

  /** Records a cancellation request for a job, unless there already is one. Parameter: ?1 = job. */
  public static String askCancellation() {
    return "insert into readpast_cancellation (job_id) select id from readpast_job where id = ?1 and "
        + NOT_REQUESTED;
  }

  // True if another job was released because the given job had ended. A job that now waits only for
  // its group counts as released.
  private static final String OVERTAKEN =
      """
      (exists (
        select 1 from readpast_predecessor p
        where p.predecessor_id = h.id and p.ended_as is not null and p.on_failure = 'RUN'
          and not exists (select 1 from readpast_job j where j.id = p.job_id and j.waits_for = 'PREDECESSOR'))
      or exists (
        select 1 from readpast_wave w
        where w.batch = h.batch and w.no > h.wave and w.completed + w.discarded > 0)
      or exists (
        select 1 from readpast_dependency_event s
        where s.batch = h.batch and s.wave > h.wave and s.state in ('COMPLETED', 'DISCARDED'))
      or exists (
        select 1 from readpast_job j
        where j.batch = h.batch and j.wave > h.wave and (j.state <> 'BLOCKED' or j.waits_for = 'GROUP')))""";

  /**
   * Returns a row if another job has started that would have waited for this job to succeed.
   * Parameter: ?1 = id of this job.
   */
  public static String overtaken() {
    return "select 1 from readpast_job_history h where id = ?1 and " + OVERTAKEN;
  }

  /**
   * Resets ended jobs. If the payload of a job is replaced, the roles of its enqueuer are deleted,
   * because the roles were not checked for the new payload. Returns (id, queue, state before, state
   * now) of the jobs that were reset. Parameters: ?1 = ids, ?2 = states from which jobs may be
   * reset, ?3 = true to include jobs whose followers have started already, ?4 = new payload or null
   * to keep the old one.
   */
  public static String reset() {
    // The job is inserted before it is deleted: if a live job has the same unique key, the job
    // stays in the history.
    return """
    with chosen as materialized (
      select h.*, exists (select 1 from readpast_predecessor where job_id = h.id) as follows,
        exists (select 1 from readpast_predecessor where predecessor_id = h.id) as followed
      from readpast_job_history h
      where id = any(cast(?1 as bigint[])) and state = any(cast(?2 as text[]))
        and (cast(?3 as boolean) or not %s) and (payload is not null or cast(?4 as text) is not null)
      order by id for update
    ), placed as (
      select *, case when follows then 'PREDECESSOR' when batch is not null then 'WAVE'
        when group_key is not null then 'GROUP' end as waits_for
      from chosen
    ), added as (
      insert into readpast_job (id, queue, type, priority, state, position, available_at, enqueued_at, expires_at,
        claim_no, attempt, uncounted, crashes, max_attempts, unique_key, correlation_id, properties, payload,
        content_type, batch, wave, group_key, group_holds, waits_for, unseen, enqueued_by, enqueuer_roles)
      select id, queue, type, priority, case when waits_for is null then 'AVAILABLE' else 'BLOCKED' end,
        case when waits_for is null then nextval('readpast_position') end, clock_timestamp(), enqueued_at,
        case when expires_at > clock_timestamp() then expires_at end,
        claim_no + 1, attempt, attempt, null, max_attempts, unique_key, correlation_id, properties,
        coalesce(cast(cast(?4 as text) as json), payload), content_type, batch, wave, group_key, group_holds, waits_for, waits_for is not null,
        enqueued_by, case when cast(?4 as text) is null then enqueuer_roles end
      from placed order by id
      on conflict (unique_key) where unique_key is not null do nothing
      returning id, queue, state
    ), deleted as (
      delete from readpast_job_history where id in (select id from added)
    ), reported as (
      insert into readpast_dependency_event (event, job_id, state, queue, group_key, batch, wave)
      select 'RESET', id, state, queue, group_key, batch, wave from placed
      where id in (select id from added) and (waits_for is not null or followed)
    )
    select a.id, a.queue, p.state, a.state from added a join placed p on p.id = a.id\
    """
        .formatted(OVERTAKEN);
  }

  private static final String UTC =
      "to_char(%s at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";

  /**
   * Makes the given jobs that are SCHEDULED due immediately, in the order of their ids. Returns
   * (id, queue, due time before, due time now), both times as text in UTC. Parameter: ?1 = ids.
   *
   * @param skipLocked true to skip jobs that another transaction has locked, false to wait for it
   */
  public static String runNow(boolean skipLocked) {
    return """
    with due as materialized (
      select id, available_at from readpast_job where id = any(cast(?1 as bigint[])) and state = 'SCHEDULED'
      order by id for update%s)
    update readpast_job j set state = 'AVAILABLE', position = nextval('readpast_position'),
      available_at = clock_timestamp()
    from due
    where j.id = due.id and j.id = any(array(select id from due))
    returning j.id, j.queue, %s, %s\
    """
        .formatted(
            skipLocked ? " skip locked" : "",
            UTC.formatted("due.available_at"),
            UTC.formatted("j.available_at"));
  }

  /**
   * Changes the due time of a job that is SCHEDULED, or AVAILABLE with a due time in the future. A
   * due time in the past makes the job AVAILABLE. Returns one row: (ms until the new due time, id,
   * queue, due time before, due time now, type, priority, position before or null); if nothing was
   * changed, all columns except the first are null. Times are text in UTC. Parameters: ?1 = id, ?2
   * = new due time.
   */
  public static String reschedule() {
    return """
    with now as materialized (select clock_timestamp() as now_, cast(?2 as timestamptz) as at_),
    old as materialized (
      select w.id, w.available_at, w.position, now_, at_ > now_ as later
      from readpast_job w, now
      where w.id = ?1 and (w.state = 'SCHEDULED' or w.state = 'AVAILABLE' and at_ > now_)
      for update of w),
    updated as (update readpast_job j set available_at = case when later then cast(?2 as timestamptz) else now_ end,
      state = case when later then 'SCHEDULED' else 'AVAILABLE' end,
      position = case when later then null else nextval('readpast_position') end
    from old
    where j.id = old.id and j.id = any(array(select id from old))
    returning j.id, j.queue, %s as due_before, %s as due, j.type, j.priority, old.position)
    select cast(ceil(extract(epoch from at_ - now_) * 1000) as bigint), u.* from now left join updated u on true\
    """
        .formatted(UTC.formatted("old.available_at"), UTC.formatted("j.available_at"));
  }

  /**
   * Changes the priority of jobs. AVAILABLE jobs move to the end of their new lane, because claims
   * do not return to positions that they have passed. Jobs whose rows are locked are skipped.
   * Returns (id, queue, priority before, priority now, type before, priority before, position
   * before or null) of the jobs that had another priority. Parameters: ?1 = ids, ?2 = priority, ?3
   * = states in which jobs are changed.
   */
  public static String changePriority() {
    return """
    with old as materialized (
      select id, priority, position from readpast_job
      where id = any(cast(?1 as bigint[])) and state = any(cast(?3 as text[])) and priority <> cast(?2 as smallint)
      order by id for update skip locked)
    update readpast_job j set priority = cast(?2 as smallint),
      position = case when state = 'AVAILABLE' then nextval('readpast_position') end
    from old
    where j.id = old.id and j.id = any(array(select id from old))
    returning j.id, j.queue, old.priority, j.priority, j.type, old.priority, old.position\
    """;
  }

  /**
   * Changes the type of jobs, in the same way as {@link #changePriority()} changes the priority.
   * Jobs whose payload could not be read become due immediately. The roles of the enqueuers are
   * deleted, because they were not checked for the new type. Returns (id, queue, type before, type
   * now, type before, priority before, position before or null) of the jobs that had another type.
   * Parameters: ?1 = ids, ?2 = type, ?3 = states in which jobs are changed.
   */
  public static String changeType() {
    return """
    with old as materialized (
      select id, type, position, state = 'SCHEDULED' and coalesce((
          select f.kind = 'UNREADABLE' from readpast_failure f where f.job_id = j.id order by f.id desc limit 1),
        false) as unread
      from readpast_job j
      where id = any(cast(?1 as bigint[])) and state = any(cast(?3 as text[])) and type <> ?2
      order by id for update skip locked)
    update readpast_job j set type = ?2, enqueuer_roles = null,
      state = case when old.unread then 'AVAILABLE' else j.state end,
      available_at = case when old.unread then clock_timestamp() else j.available_at end,
      position = case when j.state = 'AVAILABLE' or old.unread then nextval('readpast_position') end
    from old
    where j.id = old.id and j.id = any(array(select id from old))
    returning j.id, j.queue, old.type, j.type, old.type, j.priority, old.position\
    """;
  }

  /**
   * Locks the given jobs that have another type. Returns (id, type, payload, properties, queue,
   * priority, position or null); payload and properties are null unless they are encrypted.
   * Parameters: ?1 = ids, ?2 = type, ?3 = states in which jobs are locked, ?4 = prefix of encrypted
   * content.
   */
  public static String lockOfOtherType() {
    return """
    select id, type, case when encrypted then cast(payload as text) end,
      case when encrypted then cast(properties as text) end, queue, priority,
      case when state = 'AVAILABLE' then position end
    from readpast_job j, lateral (
      select starts_with(cast(payload as text), ?4) or coalesce(starts_with(cast(properties as text), ?4), false)
        as encrypted) e
    where id = any(cast(?1 as bigint[])) and state = any(cast(?3 as text[])) and type <> ?2
    order by id for update of j skip locked\
    """;
  }

  /**
   * Returns (id, bytes of the payload and the properties) of the given live jobs that are
   * encrypted. Parameters: ?1 = ids, ?2 = prefix of encrypted content.
   */
  public static String encryptedBytes() {
    return """
    select id, octet_length(cast(payload as text)) + coalesce(octet_length(cast(properties as text)), 0)
    from readpast_job
    where id = any(cast(?1 as bigint[]))
      and (starts_with(cast(payload as text), ?2) or starts_with(cast(properties as text), ?2))\
    """;
  }

  /**
   * Replaces the payloads and properties of jobs. Parameters: ?1 = ids, ?2 = payloads, ?3 =
   * properties or nulls (arrays of equal length).
   */
  public static String replaceTexts() {
    return """
    update readpast_job j set payload = cast(u.payload as json), properties = cast(u.properties as json)
    from unnest(cast(?1 as bigint[]), cast(?2 as text[]), cast(?3 as text[])) u(id, payload, properties)
    where j.id = u.id\
    """;
  }

  // True if a follower still needs the outcome of the job: the job holds the follower, or the
  // dependency resolver has not yet processed the outcome.
  private static final String ASKED_FOR =
      """
      exists (
        select 1 from readpast_predecessor p join readpast_job j on j.id = p.job_id
        where p.predecessor_id = h.id and (p.on_failure = 'HOLD' or not p.decided) and j.state = 'BLOCKED')""";

  /** Returns (job) of a job that waits for an ended job. Parameter: ?1 = id of the ended job. */
  public static String follower() {
    return """
    select p.job_id from readpast_predecessor p join readpast_job j on j.id = p.job_id
    where p.predecessor_id = ?1 and (p.on_failure = 'HOLD' or not p.decided) and j.state = 'BLOCKED'
    order by 1 limit 1\
    """;
  }

  /**
   * Deletes ended jobs and everything stored about them, except jobs that other jobs wait for.
   * Jobs, waves and groups that the deleted jobs held continue. Returns the columns (id, queue,
   * state before, null). Parameter: ?1 = ids.
   */
  public static String delete() {
    return """
    with chosen as materialized (
      select id, state, queue, group_key, group_holds, batch from readpast_job_history h
      where id = any(cast(?1 as bigint[])) and not %s
      order by id for update skip locked
    ), failures as (
      delete from readpast_failure where job_id = any(array(select id from chosen))
    ), lines as (
      delete from readpast_log where job_id = any(array(select id from chosen))
    ), statements as (
      delete from readpast_sql_log where job_id = any(array(select id from chosen))
    ), progress as (
      delete from readpast_progress where job_id = any(array(select id from chosen))
    ), predecessors as (
      delete from readpast_predecessor where job_id = any(array(select id from chosen))
    ), requests as (
      delete from readpast_cancellation where job_id = any(array(select id from chosen))
    ), reported as (
      insert into readpast_dependency_event (event, job_id, queue, group_key, batch)
      select 'SKIP', id, queue, group_key, batch from chosen
      where state = 'DISCARDED' and (batch is not null or group_holds)
    )
    delete from readpast_job_history where id = any(array(select id from chosen)) returning id, queue, state, null\
    """
        .formatted(ASKED_FOR);
  }

  /**
   * Deletes the content of ended jobs: payloads, results, properties, failure messages, stack
   * traces and log lines. Returns the columns (id, queue, state, state). Parameter: ?1 = ids.
   */
  public static String erase() {
    return """
    with chosen as materialized (
      select id from readpast_job_history where id = any(cast(?1 as bigint[])) order by id for update
    ), failures as (
      update readpast_failure set message = null, trace = null where job_id = any(array(select id from chosen))
    ), lines as (
      delete from readpast_log where job_id = any(array(select id from chosen))
    ), statements as (
      update readpast_sql_log set error = null where job_id = any(array(select id from chosen))
    )
    update readpast_job_history set payload = null, result = null, properties = null
    where id = any(array(select id from chosen)) returning id, queue, state, state\
    """;
  }

  /**
   * Locks waiting jobs of a queue, in the order of their ids; skips rows that are locked. Returns
   * the column (id). Parameters: ?1 = queue, ?2 = states, ?3 = id after which to start, ?4 =
   * highest id, ?5 = maximum number.
   */
  public static String waiting() {
    return """
    select id from readpast_job
    where queue = ?1 and state = any(cast(?2 as text[])) and id > ?3 and id <= ?4
    order by id limit ?5 for update skip locked\
    """;
  }

  /**
   * Returns the columns (highest id of the live jobs of a queue, or null). Parameter: ?1 = queue.
   */
  public static String highestId() {
    return "select max(id) from readpast_job where queue = ?1";
  }

  /** Returns (id) of the live job that has a unique key. Parameter: ?1 = unique key. */
  public static String holderOfKey() {
    return "select id from readpast_job where unique_key = ?1";
  }

  /**
   * Changes the settings of a queue. Returns the settings before the change: (paused, concurrency,
   * global concurrency, reserved). Parameters: ?1 = queue, ?2 = paused or null to leave it
   * unchanged, ?3 = true to set the concurrency, ?4 = concurrency, ?5 = true to set the concurrency
   * across all nodes, ?6 = concurrency across all nodes, ?7 = true to set the reserved workers, ?8
   * = reserved workers.
   */
  public static String changeQueue() {
    return """
    with old as (
      select name, paused, concurrency, global_concurrency, reserved from readpast_queue where name = ?1 for update
    )
    update readpast_queue q set paused = coalesce(cast(?2 as boolean), q.paused),
      concurrency = case when cast(?3 as boolean) then cast(?4 as int) else q.concurrency end,
      global_concurrency = case when cast(?5 as boolean) then cast(?6 as int) else q.global_concurrency end,
      reserved = case when cast(?7 as boolean) then cast(?8 as int) else q.reserved end
    from old where q.name = old.name
    returning old.paused, old.concurrency, old.global_concurrency, old.reserved\
    """;
  }

  /**
   * Claims an idempotency key, if it is free or its stored response has expired. Waits if another
   * transaction is claiming the key. Returns a row if the key was claimed. Parameters: ?1 =
   * principal, ?2 = key, ?3 = fingerprint of the request.
   */
  public static String claimKey() {
    return """
    insert into readpast_idempotency as i (principal, key, fingerprint) values (?1, ?2, ?3)
    on conflict (principal, key) do update
    set fingerprint = excluded.fingerprint, answer = null, access = null, created_at = clock_timestamp()
    where i.created_at < clock_timestamp() - interval '24 hours'
    returning 1\
    """;
  }

  /**
   * Stores the response under an idempotency key. Parameters: ?1 = principal, ?2 = key, ?3 =
   * response, ?4 = the caller's roles by queue.
   */
  public static String keepAnswer() {
    return "update readpast_idempotency set answer = cast(?3 as text), access = ?4 where principal = ?1 and key = ?2";
  }

  /**
   * Returns (fingerprint, response, the caller's roles by queue at that time) that are stored under
   * an idempotency key. Parameters: ?1 = principal, ?2 = key.
   */
  public static String keptAnswer() {
    return "select fingerprint, answer, access from readpast_idempotency where principal = ?1 and key = ?2";
  }

  /** Deletes the cancellation requests of jobs. Parameter: ?1 = job ids. */
  public static String forgetCancellations() {
    return "delete from readpast_cancellation where job_id = any(cast(?1 as bigint[]))";
  }

  /**
   * Requests the cancellation of a job, which takes place after this transaction has committed.
   * Parameter: ?1 = job.
   */
  public static String cancelJob() {
    return "insert into readpast_dependency_event (event, job_id) values ('CANCEL', ?1)";
  }

  /** Requests the cancellation of the given jobs that wait for other jobs. Parameter: ?1 = ids. */
  public static String cancelJobs() {
    return """
        insert into readpast_dependency_event (event, job_id)
        select 'CANCEL', id from readpast_job where id = any(cast(?1 as bigint[])) and state = 'BLOCKED'""";
  }

  /**
   * Asks a node to claim no more jobs. Returns a row if the node is ACTIVE. Parameter: ?1 = the
   * node's uuid.
   */
  public static String drain() {
    return """
        update readpast_node set drain_requested = true where id = cast(?1 as uuid) and state = 'ACTIVE'
        returning no""";
  }
}
