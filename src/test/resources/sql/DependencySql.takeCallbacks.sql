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
  exists (select 1 from due where no = 100 or no > 1 and bytes > cast(?3 as bigint))
