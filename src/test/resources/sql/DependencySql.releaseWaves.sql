with moved as (update readpast_job set waits_for = case when group_key is not null then 'GROUP' end, state = case when group_key is not null then 'BLOCKED' when available_at <= greatest(clock_timestamp(), enqueued_at) then 'AVAILABLE' else 'SCHEDULED' end,
  position = case when not (group_key is not null) and available_at <= greatest(clock_timestamp(), enqueued_at) then nextval('readpast_position') end
 where waits_for || '' = 'WAVE' and state = 'BLOCKED' and id = any(array(select w.id from readpast_batch b
    cross join lateral (select no from (select min(no) from readpast_wave where batch = b.id and live > 0) lowest(no)
      where no <= coalesce((select min(wave) from readpast_hold where batch = b.id), no)
        and no <= coalesce((select min(wave) from readpast_job where batch = b.id and unseen), no)) open(no)
    cross join lateral (
      select * from readpast_job
      where batch = b.id and batch between (select 0) and (select 9223372036854775807) and wave between open.no and open.no
        and waits_for = 'WAVE' and state = 'BLOCKED' and not unseen
      order by wave, id limit ?2) w
    where b.id = any(cast(?1 as bigint[])) and b.cancelled_at is null and b.held_at is null order by 1))returning queue, type, priority, state, batch, wave,
   case when waits_for = 'GROUP' then group_key end as group_key, available_at, waits_for)
select queue, type, priority, state, batch, wave, group_key, min(available_at), waits_for, count(*)
from moved group by queue, type, priority, state, batch, wave, group_key, waits_for
