update readpast_callback c set fired_at = clock_timestamp()
where fired_at is null and event = ?2 and batch = any(cast(?1 as bigint[]))
  and not exists (
    select 1 from readpast_callback f
    where f.batch = c.batch and f.event = c.event and f.fired_at is not null)
  and id = (select min(id) from readpast_callback f where f.batch = c.batch and f.event = c.event)
returning id, queue, type, priority, max_attempts, correlation_id, cast(properties as text),
  cast(payload as text), enqueued_by || coalesce(chr(10) || enqueuer_roles, ''), reserved_id
