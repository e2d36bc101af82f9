with due as materialized (
  select array_agg(id) as ids, array_agg(position) as positions from (
    select id, nextval('readpast_position') as position from (
      select id from readpast_job where state = 'SCHEDULED' and position is null and waits_for is null and id between (select 0) and (select 9223372036854775807) and available_at between (select timestamptz '-infinity') and  (select clock_timestamp())
      order by available_at, id limit ?1 for update skip locked) x) y)
update readpast_job j set state = 'AVAILABLE', position = due.positions[array_position(due.ids, j.id)]
from due where j.id = any(due.ids)
returning j.queue
