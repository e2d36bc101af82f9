with idle as materialized (
  select name from readpast_queue q
  where used_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond' and not paused
    and concurrency is null and reserved is null and global_concurrency is null
    and configured_global_concurrency is null
    and not exists (select 1 from readpast_job_history where queue = q.name)
    and not exists (select 1 from readpast_schedule where queue = q.name)
    and not exists (select 1 from readpast_rule where queue = q.name)
    and not exists (select 1 from readpast_callback where queue = q.name)
    and not exists (select 1 from readpast_group where queue = q.name)
), filled as materialized (
  select name from idle where name in (select queue from readpast_job)
), used as (
  update readpast_queue set used_at = clock_timestamp() where name in (select name from filled)
)
delete from readpast_queue
where name in (select name from idle except select name from filled) and used_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond' and not paused
    and concurrency is null and reserved is null and global_concurrency is null
    and configured_global_concurrency is null
returning name
