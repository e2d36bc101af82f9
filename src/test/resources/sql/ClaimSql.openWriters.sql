select distinct virtualtransaction as writer from pg_locks
where database = (select oid from pg_database where datname = current_database())
  and relation = cast('readpast_job' as regclass) and mode = 'RowExclusiveLock'
  and pid is distinct from pg_backend_pid()
