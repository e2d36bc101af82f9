select a.pid, pg_terminate_backend(a.pid) from readpast_node n join pg_stat_activity a on a.pid = any(n.backends)
where n.state = 'DEAD' and n.ended_at > clock_timestamp() - interval '10 minutes'
  and a.datname = current_database()
  and (a.state like 'idle in transaction%' or exists (
    select 1 from pg_locks w where not w.granted and a.pid = any(pg_blocking_pids(w.pid))))
  and a.xact_start < n.beat_at + n.lease_ms * interval '1 millisecond'
  and a.state_change not between clock_timestamp() - interval '3 seconds' and clock_timestamp()
  and not exists (
    select 1 from readpast_node o where o.state in ('ACTIVE', 'STOPPING') and a.pid = any(o.backends)
      and o.beat_at > clock_timestamp() - o.lease_ms * interval '1 millisecond')
