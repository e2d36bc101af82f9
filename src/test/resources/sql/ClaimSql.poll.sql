select cast(null as text), (select cast(ceil(extract(epoch from available_at - clock_timestamp()) * 1000) as bigint) from readpast_job where state = 'SCHEDULED' and position is null and waits_for is null and id between (select 0) and (select 9223372036854775807) and available_at between (select timestamptz '-infinity') and (select timestamptz 'infinity') order by available_at limit 1), exists (select 1 where exists (select 1 from readpast_dependency_event)
  or exists (select 1 from readpast_job where unseen and id between (select 0) and (select 9223372036854775807))
  or exists (select 1 from readpast_predecessor where not decided)
  or exists (
    select 1 from readpast_batch b where sealed_at is not null and finished_at is null
      and not exists (select 1 from readpast_wave w where w.batch = b.id and w.live > 0))), exists (select from readpast_release where released_at > clock_timestamp() - interval '5 seconds'), cast(date_part('epoch', pg_postmaster_start_time()) * 1000000 as bigint)   || '/' || (select oid from pg_database where datname = current_database()) || '/' || tableoid,
  case when is_called then last_value else 0 end
from readpast_position
