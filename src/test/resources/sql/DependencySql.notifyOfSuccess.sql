with picked as materialized (
  select f.* from unnest(cast(?1 as bigint[])) e(id) cross join lateral (
    select ctid as address, job_id, predecessor_id from readpast_predecessor
    where predecessor_id = e.id and predecessor_id between e.id and e.id and true
    order by predecessor_id, ended_as, job_id limit ?2) f
  limit ?2
), rest as (
  insert into readpast_dependency_event (event, job_id)
  select 'RECHECK', e.id from unnest(cast(?1 as bigint[])) e(id)
  where (select count(*) from picked) = ?2 and exists (
    select 1 from readpast_predecessor
    where predecessor_id = e.id and predecessor_id between e.id and e.id and true
      and (job_id, predecessor_id) not in (select job_id, predecessor_id from picked))
)
delete from readpast_predecessor p
where p.ctid = any(array(select address from picked))
returning p.job_id
