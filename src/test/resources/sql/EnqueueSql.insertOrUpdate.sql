with d as materialized (select now_, due, cast(?16 as boolean) as replaces from (select now_, coalesce(cast(?5 as timestamptz), now_ + cast(?4 as bigint) * interval '1 millisecond', now_) as due
  from (select clock_timestamp() as now_ offset 0) n offset 0) d),
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
      then coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond')
      when cast(?17 as bigint) is null then expires_at
      when expires_at is null or coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond') is null then null
      else greatest(expires_at, coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond')) end,
    priority = case when replaces then cast(?3 as smallint) else j.priority end,
    available_at = (case when cast(?17 as bigint) is null or j.attempt > 0 then j.available_at
    else greatest(j.available_at, least(d.due, j.enqueued_at + cast(?17 as bigint) * interval '1 millisecond')) end),
    state = case when (case when cast(?17 as bigint) is null or j.attempt > 0 then j.available_at
    else greatest(j.available_at, least(d.due, j.enqueued_at + cast(?17 as bigint) * interval '1 millisecond')) end) > now_ then 'SCHEDULED' else 'AVAILABLE' end,
    position = case when (case when cast(?17 as bigint) is null or j.attempt > 0 then j.available_at
    else greatest(j.available_at, least(d.due, j.enqueued_at + cast(?17 as bigint) * interval '1 millisecond')) end) > now_ then null
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
    due, now_, coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond'),
    cast(?8 as text), cast(?9 as text), cast(?10 as json), cast(?11 as int), cast(?12 as json),
    cast(?13 as text), cast(?14 as text), cast(?15 as text)
  from d where not exists (select 1 from updated)
  on conflict (unique_key) where unique_key is not null do nothing
  returning id
)
select id, true, null, null, null, null, null from added
union all
select u.id, false, o.priority, o.position, u.priority, u.position, u.due_in
from updated u join old o on o.id = u.id
