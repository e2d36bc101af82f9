insert into readpast_job (queue, type, priority, state, position, available_at, enqueued_at, expires_at,
  unique_key, correlation_id, properties, max_attempts, payload, content_type, enqueued_by, enqueuer_roles)
select cast(?1 as text), cast(?2 as text), cast(?3 as smallint),
  case when due > now_ then 'SCHEDULED' else 'AVAILABLE' end,
  case when due > now_ then null else nextval('readpast_position') end,
  due, now_, coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond'),
  cast(?8 as text), cast(?9 as text), cast(?10 as json), cast(?11 as int), cast(?12 as json),
  cast(?13 as text), cast(?14 as text), cast(?15 as text)
from (select now_, coalesce(cast(?5 as timestamptz), now_ + cast(?4 as bigint) * interval '1 millisecond', now_) as due
  from (select clock_timestamp() as now_ offset 0) n offset 0) d on conflict (unique_key) where unique_key is not null do nothing
returning id
