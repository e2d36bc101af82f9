package org.readpast.enqueue;

/** Contains the statements that insert jobs. */
public final class EnqueueSql {
  private EnqueueSql() {}

  /**
   * Creates a queue with default settings unless it exists, and records that it is used. Parameter:
   * ?1 = queue.
   */
  public static String createQueue() {
    return """
        insert into readpast_queue as q (name) values (?1)
        on conflict (name) do update set used_at = excluded.used_at
        where q.used_at < excluded.used_at - interval '10 minutes'""";
  }

  /**
   * Creates the queues that do not exist, with default settings. Returns (queue) of each created
   * queue. Parameter: ?1 = queues (text[]).
   */
  public static String createQueues() {
    return """
        insert into readpast_queue (name) select unnest(cast(?1 as text[])) on conflict do nothing
        returning name""";
  }

  /** Finds the queues that exist. Returns the column (queue). Parameter: ?1 = queues (text[]). */
  public static String existingQueues() {
    return "select name from readpast_queue where name = any(cast(?1 as text[]))";
  }

  /**
   * Records that queues are used. A queue is skipped if an open transaction is changing its
   * settings, because that also counts as use. Parameter: ?1 = queues (text[]).
   */
  public static String markUsed() {
    return """
        update readpast_queue set used_at = clock_timestamp() where name = any(array(
          select name from readpast_queue where name = any(cast(?1 as text[]))
            and used_at < clock_timestamp() - interval '10 minutes'
          for update skip locked))""";
  }

  /**
   * Allocates ids for jobs that are inserted later. Returns the column (id). Parameter: ?1 = number
   * of ids.
   */
  public static String nextIds() {
    return "select nextval('readpast_job_id') from generate_series(1, cast(?1 as int))";
  }

  /**
   * Finds the live jobs that have unique keys. Returns the columns (unique_key, id). Parameter: ?1
   * = unique keys (text[]).
   */
  public static String holdersOfKeys() {
    return "select unique_key, id from readpast_job where unique_key = any(cast(?1 as text[]))";
  }

  /**
   * Inserts jobs in the given order, except jobs whose unique key a live job has. Returns the
   * columns (index from 1, id). Parameters: arrays of equal length: ?1 = queue, ?2 = type, ?3 =
   * priority, ?4 = delay in ms or null, ?5 = earliest start (timestamptz) or null, ?6 = time to
   * live in ms or null, ?7 = expiry or null, ?8 = unique key, ?9 = correlation id, ?10 =
   * properties, ?11 = max attempts, ?12 = payload, ?13 = content type or null, ?14 = batch, ?15 =
   * wave, ?16 = group, ?17 = true if the job holds the group, ?18 = what the job waits for first,
   * ?19 = enqueuer, ?20 = the enqueuer's roles, ?21 = ids from {@link #nextIds()}, or null to
   * allocate them.
   */
  public static String insert() {
    // Positions are assigned in the order of the ids, so that the jobs of a call keep their order
    // within a lane.
    return """
        with job as materialized (
          select coalesce(r.given_id, nextval('readpast_job_id')) as id, r.*,
            coalesce(r.not_before, r.now_ + r.delay * interval '1 millisecond', r.now_) as due
          from (
            select u.*, clock_timestamp() as now_
            from unnest(cast(?1 as text[]), cast(?2 as text[]), cast(?3 as int[]), cast(?4 as bigint[]),
              cast(?5 as timestamptz[]), cast(?6 as bigint[]), cast(?7 as timestamptz[]), cast(?8 as text[]),
              cast(?9 as text[]), cast(?10 as text[]), cast(?11 as int[]), cast(?12 as text[]),
              cast(?13 as text[]), cast(?14 as bigint[]), cast(?15 as int[]), cast(?16 as text[]),
              cast(?17 as boolean[]), cast(?18 as text[]), cast(?19 as text[]), cast(?20 as text[]),
              cast(?21 as bigint[]))
              with ordinality as u(queue, type, priority, delay, not_before, ttl, expires_at, unique_key,
                correlation_id, properties, max_attempts, payload, content_type, batch, wave, group_key, group_holds, waits_for,
                enqueued_by, enqueuer_roles, given_id, place)
          ) r
        ), added as (
          insert into readpast_job (id, queue, type, priority, state, position, available_at, enqueued_at, expires_at,
            unique_key, correlation_id, properties, max_attempts, payload, content_type, batch, wave, group_key, group_holds,
            waits_for, unseen, enqueued_by, enqueuer_roles)
          select id, queue, type, priority,
            case when waits_for is not null then 'BLOCKED' when due > now_ then 'SCHEDULED' else 'AVAILABLE' end,
            case when waits_for is not null or due > now_ then null else nextval('readpast_position') end,
            due, now_, coalesce(expires_at, now_ + ttl * interval '1 millisecond'),
            unique_key, correlation_id, cast(properties as json), max_attempts, cast(payload as json),
            content_type, batch, wave, group_key, group_holds, waits_for, waits_for is not null,
            enqueued_by, enqueuer_roles
          from job order by place
          on conflict (unique_key) where unique_key is not null do nothing
          returning id
        )
        select job.place, job.id from job join added using (id)""";
  }

  // The due time of all jobs of a call. Parameters: 4 = delay, 5 = earliest start.
  private static final String DUE =
      """
      (select now_, coalesce(cast(?5 as timestamptz), now_ + cast(?4 as bigint) * interval '1 millisecond', now_) as due
        from (select clock_timestamp() as now_ offset 0) n offset 0) d""";

  // The statements below are built only once, because they are sent for every job.
  private static final String INSERT_ALIKE =
      """
        insert into readpast_job (queue, type, priority, state, position, available_at, enqueued_at, expires_at,
          correlation_id, properties, max_attempts, payload, content_type, enqueued_by, enqueuer_roles)
        select cast(?1 as text), cast(?2 as text), cast(?3 as smallint),
          case when due > now_ then 'SCHEDULED' else 'AVAILABLE' end,
          case when due > now_ then null else nextval('readpast_position') end,
          due, now_, coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond'),
          correlation_id, cast(properties as json), cast(?8 as int), cast(payload as json), cast(?9 as text),
          cast(?13 as text), cast(?14 as text)
        from %s, unnest(cast(?10 as text[]), cast(?11 as text[]), cast(?12 as text[]))
          with ordinality as u(correlation_id, properties, payload, place)
        order by place
        returning id"""
          .formatted(DUE);

  // The job is available immediately, so no time has to be computed.
  private static final String INSERT_PLAIN =
      """
        insert into readpast_job (queue, type, priority, state, position, available_at, enqueued_at,
          correlation_id, properties, payload, enqueued_by, enqueuer_roles)
        select cast(?1 as text), cast(?2 as text), cast(?3 as smallint), 'AVAILABLE', nextval('readpast_position'),
          now_, now_, cast(?4 as text), cast(?5 as json), cast(?6 as json), cast(?7 as text), cast(?8 as text)
        from (select clock_timestamp() as now_ offset 0) n
        returning id""";

  private static final String INSERT_ONE = insertOne("");

  private static final String INSERT_ONE_WITH_KEY =
      insertOne("on conflict (unique_key) where unique_key is not null do nothing");

  private static String insertOne(String conflict) {
    return """
        insert into readpast_job (queue, type, priority, state, position, available_at, enqueued_at, expires_at,
          unique_key, correlation_id, properties, max_attempts, payload, content_type, enqueued_by, enqueuer_roles)
        select cast(?1 as text), cast(?2 as text), cast(?3 as smallint),
          case when due > now_ then 'SCHEDULED' else 'AVAILABLE' end,
          case when due > now_ then null else nextval('readpast_position') end,
          due, now_, coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond'),
          cast(?8 as text), cast(?9 as text), cast(?10 as json), cast(?11 as int), cast(?12 as json),
          cast(?13 as text), cast(?14 as text), cast(?15 as text)
        from %s %s
        returning id"""
        .formatted(DUE, conflict);
  }

  // If the first attempt of a job has begun, the pause before the next attempt stays unchanged.
  private static final String POSTPONED =
      """
      (case when cast(?17 as bigint) is null or j.attempt > 0 then j.available_at
          else greatest(j.available_at, least(d.due, j.enqueued_at + cast(?17 as bigint) * interval '1 millisecond')) end)""";

  private static final String EXPIRY =
      "coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond')";

  // The statement first tries to update and then to insert. "On conflict do update" would lock a
  // running job until the caller commits, and the worker of that job could not end it. The existing
  // job is locked before it is read, because another transaction may have changed it in the
  // meantime.
  private static final String INSERT_OR_UPDATE =
      """
        with d as materialized (select now_, due, cast(?16 as boolean) as replaces from %1$s),
        old as materialized (
          select id, priority, position from readpast_job
          where unique_key = ?8 and state in ('AVAILABLE', 'SCHEDULED') and queue = ?1 and type = ?2
            and (cast(?18 as bigint) is null or id = cast(?18 as bigint))
          for no key update),
        updated as (
          update readpast_job j set
            payload = case when replaces then cast(?12 as json) else payload end,
            content_type = case when replaces then cast(?13 as text) else content_type end,
            properties = case when replaces then cast(?10 as json) else properties end,
            correlation_id = case when replaces then cast(?9 as text) else correlation_id end,
            max_attempts = case when replaces then cast(?11 as int) else max_attempts end,
            enqueued_by = case when replaces then cast(?14 as text) else enqueued_by end,
            enqueuer_roles = case when replaces then cast(?15 as text) else enqueuer_roles end,
            expires_at = case when replaces
              then %3$s
              when cast(?17 as bigint) is null then expires_at
              when expires_at is null or %3$s is null then null
              else greatest(expires_at, %3$s) end,
            priority = case when replaces then cast(?3 as smallint) else j.priority end,
            available_at = %2$s,
            state = case when %2$s > now_ then 'SCHEDULED' else 'AVAILABLE' end,
            position = case when %2$s > now_ then null
              when state = 'AVAILABLE' and (not replaces or j.priority = cast(?3 as smallint)) then j.position
              else nextval('readpast_position') end
          from d, old
          where j.id = old.id and j.id = any(array(select id from old))
          returning j.id, j.priority, j.position, cast(extract(epoch from j.available_at - now_) * 1000 as bigint) as due_in
        ), added as (
          insert into readpast_job (id, queue, type, priority, state, position, available_at, enqueued_at, expires_at,
            unique_key, correlation_id, properties, max_attempts, payload, content_type, enqueued_by, enqueuer_roles)
          select coalesce(cast(?18 as bigint), nextval('readpast_job_id')),
            cast(?1 as text), cast(?2 as text), cast(?3 as smallint),
            case when due > now_ then 'SCHEDULED' else 'AVAILABLE' end,
            case when due > now_ then null else nextval('readpast_position') end,
            due, now_, %3$s,
            cast(?8 as text), cast(?9 as text), cast(?10 as json), cast(?11 as int), cast(?12 as json),
            cast(?13 as text), cast(?14 as text), cast(?15 as text)
          from d where not exists (select 1 from updated)
          on conflict (unique_key) where unique_key is not null do nothing
          returning id
        )
        select id, true, null, null, null, null, null from added
        union all
        select u.id, false, o.priority, o.position, u.priority, u.position, u.due_in
        from updated u join old o on o.id = u.id"""
          .formatted(DUE, POSTPONED, EXPIRY);

  /**
   * Inserts one job that waits for no other, or changes the waiting job of the same queue and type
   * that has its unique key. Returns the columns (id, true if the job is new; null for a new job:
   * priority before, position before or null if it was SCHEDULED, priority now, position now, ms
   * until it is due). Returns no row if another job has the key. Parameters: ?1 to ?15 = those of
   * {@link #insertOneWithKey()}, ?16 = true to replace payload and headers, ?17 = the longest time
   * in ms from the enqueue of the job to its due time, or null to leave the due time unchanged, ?18
   * = result of {@link #lockedOrNextId()} or null.
   */
  public static String insertOrUpdate() {
    return INSERT_OR_UPDATE;
  }

  /**
   * Locks the waiting job that {@link #insertOrUpdate()} would change, or allocates the id of a new
   * job. Returns the column (id). Parameters: ?1 = unique key, ?2 = queue, ?3 = type.
   */
  public static String lockedOrNextId() {
    return """
        with waiting as materialized (
          select id from readpast_job
          where unique_key = ?1 and state in ('AVAILABLE', 'SCHEDULED') and queue = ?2 and type = ?3
          for no key update)
        select coalesce((select id from waiting), nextval('readpast_job_id'))""";
  }

  /**
   * Finds the live job that has a unique key. Returns the columns (id, true if it is waiting and
   * has the given queue and type). Parameters: ?1 = unique key, ?2 = queue, ?3 = type.
   */
  public static String holderOfKey() {
    return """
        select id, state in ('AVAILABLE', 'SCHEDULED') and queue = ?2 and type = ?3
        from readpast_job where unique_key = ?1""";
  }

  /**
   * Inserts jobs, in the given order, that have no unique key, wait for no other job and differ
   * only in ?10 to ?12. Returns (id); the ids ascend in the given order. Parameters: scalars: ?1 to
   * ?7 = those of {@link #insert()}, ?8 = max attempts, ?9 = content type, ?13 = enqueuer, ?14 =
   * the enqueuer's roles; arrays of equal length: ?10 = correlation ids, ?11 = properties, ?12 =
   * payloads.
   */
  public static String insertAlike() {
    return INSERT_ALIKE;
  }

  /**
   * Inserts one job that waits for no other. Returns the column (id), or no row if a live job has
   * its unique key. Parameters: ?1 to ?13 = those of {@link #insert()} as scalars, ?14 = enqueuer,
   * ?15 = the enqueuer's roles.
   */
  public static String insertOneWithKey() {
    return INSERT_ONE_WITH_KEY;
  }

  /**
   * Inserts one job like {@link #insertOneWithKey()}, but without a unique key. With "on conflict",
   * PostgreSQL would lock each row, and write a separate log record to confirm it.
   */
  public static String insertOne() {
    return INSERT_ONE;
  }

  /**
   * Inserts one job like {@link #insertOne()} that is available immediately and has no expiry, max
   * attempts or content type. Most jobs are of this kind, and this statement has half as many
   * parameters. Returns the column (id). Parameters: ?1 = queue, ?2 = type, ?3 = priority, ?4 =
   * correlation id, ?5 = properties, ?6 = payload, ?7 = enqueuer, ?8 = the enqueuer's roles.
   */
  public static String insertPlain() {
    return INSERT_PLAIN;
  }

  /** Finds ids that no job has ever had. Returns the column (id). Parameter: ?1 = ids. */
  public static String unknown() {
    return """
        select id from unnest(cast(?1 as bigint[])) id
        where id < 1 or id > (select case when is_called then last_value else 0 end from readpast_job_id)""";
  }

  /**
   * Makes jobs wait for predecessors. Parameters: arrays of equal length: ?1 = jobs, ?2 = their
   * predecessors, ?3 = failure policies.
   */
  public static String follow() {
    return """
        insert into readpast_predecessor (job_id, predecessor_id, on_failure)
        select * from unnest(cast(?1 as bigint[]), cast(?2 as bigint[]), cast(?3 as text[]))
        on conflict do nothing""";
  }

  /** Creates a batch unless it exists. Parameters: ?1 = name, ?2 = failure policy. */
  public static String createBatch() {
    return "insert into readpast_batch (name, on_failure) values (?1, ?2) on conflict do nothing";
  }

  /** Returns (name) of a batch. Parameter: ?1 = batch. */
  public static String batchName() {
    return "select name from readpast_batch where id = ?1";
  }

  /**
   * Finds a batch by its name. Returns the columns (id, failure policy, sealed, cancelled,
   * finished). Parameter: ?1 = name.
   */
  public static String batch() {
    return """
        select id, on_failure, sealed_at is not null, cancelled_at is not null, finished_at is not null
        from readpast_batch where name = ?1""";
  }

  /**
   * Finds the given batches that are not sealed, and keeps them from finishing until the end of the
   * transaction. Returns the columns (name, id). Parameter: ?1 = names of batches.
   */
  public static String addTo() {
    return """
        select name, id from readpast_batch where name = any(cast(?1 as text[])) and sealed_at is null
        order by id for key share""";
  }
}
