with picked as materialized (
  select f.* from unnest(cast(?1 as bigint[])) e(id) cross join lateral (
    select ctid as address, job_id, predecessor_id from readpast_predecessor
    where predecessor_id = e.id and predecessor_id between e.id and e.id and ended_as is null
    order by predecessor_id, ended_as, job_id limit ?2) f
  limit ?2
), rest as (
  insert into readpast_dependency_event (event, job_id)
  select 'RECHECK', e.id from unnest(cast(?1 as bigint[])) e(id)
  where (select count(*) from picked) = ?2 and exists (
    select 1 from readpast_predecessor
    where predecessor_id = e.id and predecessor_id between e.id and e.id and ended_as is null
      and (job_id, predecessor_id) not in (select job_id, predecessor_id from picked))
)
update readpast_predecessor p set decided = true,
  ended_as = (cast(?3 as text[]))[array_position(cast(?1 as bigint[]), p.predecessor_id)]
where p.ctid = any(array(select address from picked))
returning p.job_id, p.on_failure
