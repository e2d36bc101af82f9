delete from readpast_idempotency where created_at < clock_timestamp() - interval '24 hours'
