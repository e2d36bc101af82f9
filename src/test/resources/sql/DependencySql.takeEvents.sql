with first as (
  select id, coalesce(cardinality(jobs), 1) as jobs from readpast_dependency_event order by id limit ?1 + 1
), before as (
  select id, sum(jobs) over (order by id) - jobs as jobs from first
), taken as (
  delete from readpast_dependency_event where id = any(array(
    select id from before where jobs < ?1)) returning *
), events as materialized (
  select *, event = 'ENDED' and state = 'COMPLETED' and jobs is not null
      and not exists (select 1 from taken other where other.event not in ('ENDED', 'RECHECK'))
      and not exists (select 1 from readpast_predecessor where predecessor_id = any(jobs))
      and not exists (select 1 from readpast_hold where job_id = any(jobs)) as one_row
  from taken)
select id, event, job, case when event <> 'RECHECK' then state
    when job is not null and not exists (select 1 from readpast_job where id = job)
    then coalesce((select state from readpast_job_history where id = job), 'COMPLETED') end,
  queue, group_key, group_holds, batch, wave, counted,
  job is not null and exists (select 1 from readpast_predecessor p where p.predecessor_id = job),
  case when one_row then cardinality(jobs) else 1 end, (select max(jobs) >= ?1 from before)
from events cross join lateral unnest(
  case when one_row then array[cast(null as bigint)] else coalesce(jobs, array[job_id]) end) as job
order by id
