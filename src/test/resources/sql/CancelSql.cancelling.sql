select id from readpast_batch where id = any(cast(?1 as bigint[])) and cancelled_at is not null
