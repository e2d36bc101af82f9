with held as materialized (
  select distinct on (u.job) u.job, l.node, n.state, u.job = any(l.begun) as begun, u.place = 1 as first
  from readpast_lease l left join readpast_node n on n.no = l.node
  cross join lateral unnest(l.jobs) with ordinality u(job, place)
  where (l.deadline < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'
  or n.no is null or n.state in ('DEAD', 'STOPPED'))
  order by u.job, l.id desc)
select j.id, j.claim_no, j.attempt, coalesce(j.uncounted, 0), coalesce(j.max_attempts, t.max_attempts, 5),
  j.crashes, j.owner, h.state, j.claimed_at, j.queue, j.type, j.unique_key, j.correlation_id, j.enqueued_by,
  h.begun, h.first, j.group_key, j.batch, cast(j.properties as text)
from held h
cross join lateral (
  select * from readpast_job where id = h.job and owner = h.node and state = 'RUNNING'
    and (deadline < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'
      or h.state is null or h.state in ('DEAD', 'STOPPED'))
  for update skip locked) j
left join readpast_type t on t.name = j.type
limit ?2
