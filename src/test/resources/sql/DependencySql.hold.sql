update readpast_batch set held_at = clock_timestamp()
where id = any(cast(?1 as bigint[])) and held_at is null and finished_at is null and cancelled_at is null
