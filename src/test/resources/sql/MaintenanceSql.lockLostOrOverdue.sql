with held as materialized (
  select distinct on (u.job) u.job, l.node, n.state, n.steady_since, n.lease_ms,
    u.job = any(l.begun) as begun, u.place = 1 as first
  from readpast_lease l left join readpast_node n on n.no = l.node
  cross join lateral unnest(l.jobs) with ordinality u(job, place)
  where (n.beat_at > clock_timestamp() - n.lease_ms * interval '1 millisecond' * 2 / 3
  and greatest(l.claimed_at, n.steady_since) + (l.deadline - l.claimed_at)
  < clock_timestamp() - greatest(cast(?1 as bigint), n.lease_ms * 2 / 3) * interval '1 millisecond'
  or n.no is null or n.state in ('DEAD', 'STOPPED'))
  order by u.job, l.id desc)
select j.id, j.claim_no, j.attempt, coalesce(j.uncounted, 0), coalesce(j.max_attempts, t.max_attempts, 5),
  j.crashes, j.owner, h.state, j.claimed_at, j.queue, j.type, j.unique_key, j.correlation_id, j.enqueued_by,
  h.begun, h.first, j.group_key, j.batch, cast(j.properties as text)
from held h
cross join lateral (
  select * from readpast_job where id = h.job and owner = h.node and state = 'RUNNING'
    and (greatest(claimed_at, h.steady_since) + (deadline - claimed_at)
  < clock_timestamp() - greatest(cast(?1 as bigint), h.lease_ms * 2 / 3) * interval '1 millisecond'
      or h.state is null or h.state in ('DEAD', 'STOPPED'))
  for update skip locked) j
left join readpast_type t on t.name = j.type
limit ?2
