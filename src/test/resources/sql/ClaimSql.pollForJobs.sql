select cast(null as text), (select cast(ceil(extract(epoch from available_at - clock_timestamp()) * 1000) as bigint) from readpast_job where state = 'SCHEDULED' and position is null and waits_for is null and id between (select 0) and (select 9223372036854775807) and available_at between (select timestamptz '-infinity') and (select timestamptz 'infinity') order by available_at limit 1), exists (select 1 where exists (select 1 from readpast_dependency_event)
  or exists (select 1 from readpast_job where unseen and id between (select 0) and (select 9223372036854775807))
  or exists (select 1 from readpast_predecessor where not decided)
  or exists (
    select 1 from readpast_batch b where sealed_at is not null and finished_at is null
      and not exists (select 1 from readpast_wave w where w.batch = b.id and w.live > 0))), exists (select from readpast_release where released_at > clock_timestamp() - interval '5 seconds'), cast(date_part('epoch', pg_postmaster_start_time()) * 1000000 as bigint)   || '/' || (select oid from pg_database where datname = current_database()) || '/' || tableoid,
  case when is_called then last_value else 0 end
from readpast_position union all
select q, null, exists (
  select from unnest(cast(?4 as text[])) as t cross join lateral (select 1 from readpast_job
where queue = q and queue between q and q and type = t and type between t and t and state <> 'RUNNING' and position >= mark order by priority, position limit 1) j),
  null, null, null
from (
  select q, mark from unnest(cast(?1 as text[]), cast(?2 as bigint[]), cast(?3 as boolean[]))
    as used(q, mark, shared)
  cross join lateral (
    (select 1 from readpast_job
where queue = q and queue between q and q and type between (select '') and (select '~') and state <> 'RUNNING' and position >= mark and not shared order by type, priority, position limit 1) union all select 1 where shared) j
  where mark is not null
  union all
  select name, 0 from (
    select lag(q, 1, '') over (order by q collate "C") as low, q as high
    from unnest(array_append(cast(?1 as text[]), '~')) q) gap
  cross join lateral (
    with recursive next(name) as (
      (select queue from readpast_job
where queue > low and queue < high and state <> 'RUNNING' and position between (select 0) and (select 9223372036854775807) and priority between (select 0) and (select 9)
order by queue, type, priority, position limit 1)
      union all
      select (select queue from readpast_job
where queue > next.name and queue < high and state <> 'RUNNING' and position between (select 0) and (select 9223372036854775807) and priority between (select 0) and (select 9)
order by queue, type, priority, position limit 1) from next where name is not null)
    select name from next where name is not null) others) found(q, mark)
where exists (select 1 from readpast_position where last_value > ?5)
