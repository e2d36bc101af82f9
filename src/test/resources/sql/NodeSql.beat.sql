with beaten as (
  update readpast_node me set beat_at = clock_timestamp(), backends = cast(?2 as int[]), receivers = ?3,
    steady_since = case
      when beat_at between clock_timestamp() - lease_ms * interval '1 millisecond' * 2 / 3 and clock_timestamp()
      then steady_since else clock_timestamp() end
  where no = ?1 and id = cast(?7 as uuid) and state in ('ACTIVE', 'STOPPING')
  returning no, drain_requested),
deleted as (
  delete from readpast_lease l where node = (select no from beaten) and (id = any(cast(?4 as bigint[]))
    or (claimed_at < clock_timestamp() - interval '10 seconds' and (select 1 from readpast_job j where j.id = any(l.jobs) and j.owner = l.node limit 1) is null))),
started as (
  update readpast_lease l set begun = array(select unnest(l.begun) union select unnest(s.jobs))
  from (
    select lease, array_agg(job) as jobs
    from unnest(cast(?5 as bigint[]), cast(?6 as bigint[])) u(lease, job) group by lease) s
  where l.id = s.lease and l.node = ?1 and not l.begun @> s.jobs)
select id, claim_no, old, drain_requested, cast(extract(epoch from clock_timestamp()) * 1000 as bigint),
  exists (select 1 from readpast_watch where until > clock_timestamp())
from beaten left join (
  select id, claim_no, claimed_at < clock_timestamp() - interval '5 seconds' as old
  from readpast_job
  where id = any(array(
    select unnest(jobs) from readpast_lease where node = ?1 and id <> all(cast(?4 as bigint[]))))
    and owner = ?1) held on true
