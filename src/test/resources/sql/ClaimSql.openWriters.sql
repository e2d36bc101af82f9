select distinct virtualtransaction from pg_locks
where relation = cast('readpast_job' as regclass) and mode = 'RowExclusiveLock'
  and pid is distinct from pg_backend_pid()
