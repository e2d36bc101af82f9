update readpast_batch set sealed_at = clock_timestamp()
where id = any(cast(?1 as bigint[])) and sealed_at is null
