with minutes as (
  delete from readpast_minute
  where minute > '-infinity' and minute < (select clock_timestamp() - interval '25 hours')
), seconds as (
  delete from readpast_second
  where second > '-infinity' and second < (select clock_timestamp() - interval '10 minutes')
), depths as (
  delete from readpast_depth
  where minute > '-infinity' and minute < (select clock_timestamp() - interval '25 hours')
)
insert into readpast_depth (minute, queue, depth)
select date_trunc('minute', clock_timestamp()), name, depth
from readpast_queue q cross join lateral (select count(*) from (
  select 1 from readpast_job j where j.queue = q.name and j.position is not null
  order by j.type desc, j.priority desc, j.position desc limit ?1) x) d(depth)
where depth > 0 and (select pg_try_advisory_xact_lock(1380995925, cast(cast('readpast_depth' as regclass) as int)))
  and not exists (select 1 from readpast_depth where minute = date_trunc('minute', clock_timestamp()))
on conflict do nothing
