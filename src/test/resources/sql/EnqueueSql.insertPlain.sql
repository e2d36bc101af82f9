insert into readpast_job (queue, type, priority, state, position, available_at, enqueued_at,
  correlation_id, properties, payload, enqueued_by, enqueuer_roles)
select cast(?1 as text), cast(?2 as text), cast(?3 as smallint), 'AVAILABLE', nextval('readpast_position'),
  now_, now_, cast(?4 as text), cast(?5 as json), cast(?6 as json), cast(?7 as text), cast(?8 as text)
from (select clock_timestamp() as now_ offset 0) n
returning id
