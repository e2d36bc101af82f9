select exists (select 1 from readpast_node silent where state in ('ACTIVE', 'STOPPING') and (
  greatest(beat_at, case when pg_postmaster_start_time() <= clock_timestamp() then pg_postmaster_start_time() end) < clock_timestamp() - lease_ms * interval '1 millisecond'
  or beat_at > clock_timestamp() + lease_ms * interval '1 millisecond')),
  exists (select 1 from readpast_node n join pg_stat_activity a on a.pid = any(n.backends)
where n.state = 'DEAD' and n.ended_at > clock_timestamp() - interval '10 minutes'
  and a.datname = current_database()
  and (a.state like 'idle in transaction%' or exists (
    select 1 from pg_locks w where not w.granted and a.pid = any(pg_blocking_pids(w.pid))))
  and a.xact_start < n.beat_at + n.lease_ms * interval '1 millisecond'
  and a.state_change not between clock_timestamp() - interval '3 seconds' and clock_timestamp()
  and not exists (
    select 1 from readpast_node o where o.state in ('ACTIVE', 'STOPPING') and a.pid = any(o.backends)
      and o.beat_at > clock_timestamp() - o.lease_ms * interval '1 millisecond')),
  exists (select 1 from readpast_lease l left join readpast_node n on n.no = l.node where (n.beat_at > clock_timestamp() - n.lease_ms * interval '1 millisecond' * 2 / 3
  and greatest(l.claimed_at, n.steady_since) + (l.deadline - l.claimed_at)
  < clock_timestamp() - greatest(cast(?1 as bigint), n.lease_ms * 2 / 3) * interval '1 millisecond'
  or n.no is null or n.state in ('DEAD', 'STOPPED'))),
  coalesce(clock_timestamp() >=
    (select expires_at from readpast_job where state in ('AVAILABLE', 'SCHEDULED', 'BLOCKED') and expires_at is not null order by expires_at limit 1), false),
  exists (select 1 from readpast_cancellation c
where (select 1 from readpast_job j where j.id = c.job_id and j.state = 'RUNNING') is null
  and c.requested_at not between clock_timestamp() - interval '5 seconds' and clock_timestamp())
