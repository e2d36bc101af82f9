insert into readpast_job (queue, type, priority, state, position, available_at, enqueued_at, expires_at,
  correlation_id, properties, max_attempts, payload, content_type, enqueued_by, enqueuer_roles)
select cast(?1 as text), cast(?2 as text), cast(?3 as smallint),
  case when due > now_ then 'SCHEDULED' else 'AVAILABLE' end,
  case when due > now_ then null else nextval('readpast_position') end,
  due, now_, coalesce(cast(?7 as timestamptz), now_ + cast(?6 as bigint) * interval '1 millisecond'),
  correlation_id, cast(properties as json), cast(?8 as int), cast(payload as json), cast(?9 as text),
  cast(?13 as text), cast(?14 as text)
from (select now_, coalesce(cast(?5 as timestamptz), now_ + cast(?4 as bigint) * interval '1 millisecond', now_) as due
  from (select clock_timestamp() as now_ offset 0) n offset 0) d, unnest(cast(?10 as text[]), cast(?11 as text[]), cast(?12 as text[]))
  with ordinality as u(correlation_id, properties, payload, place)
order by place
returning id
