select exists (select 1 from readpast_job where unseen and id between (select 0) and (select 9223372036854775807)), set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '5s', true),
  set_config('idle_in_transaction_session_timeout', '15s', true), cast(pg_advisory_xact_lock(1380995925, cast(cast('readpast_dependency_event' as regclass) as int)) as text)
