update readpast_batch set cancelled_at = clock_timestamp(), held_at = null, sealed_at = coalesce(sealed_at, clock_timestamp())
where id = any(cast(?1 as bigint[])) and cancelled_at is null
  and (not cast(?2 as boolean) or on_failure = 'CANCEL')
