select coalesce(min(coalesce(a.xact_start, to_timestamp(0))), clock_timestamp())
from pg_locks l left join pg_stat_activity a on a.pid = l.pid
where l.database = (select oid from pg_database where datname = current_database())
  and l.relation = cast('readpast_job' as regclass) and l.mode = 'RowExclusiveLock'
  and l.pid is distinct from pg_backend_pid()
