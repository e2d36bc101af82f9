update readpast_job set state = 'AVAILABLE', position = nextval('readpast_position')
where id = any(array(
  select id from readpast_job where state = 'SCHEDULED' and position is null and waits_for is null and id between (select 0) and (select 9223372036854775807) and available_at between (select timestamptz '-infinity') and  (select clock_timestamp())
  order by available_at, id limit ?1 for update skip locked))
returning queue
