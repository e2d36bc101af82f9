update readpast_batch set held_at = null where id = any(cast(?1 as bigint[])) and held_at is not null
