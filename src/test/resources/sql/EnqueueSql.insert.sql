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
select job.place, job.id from job join added using (id)
