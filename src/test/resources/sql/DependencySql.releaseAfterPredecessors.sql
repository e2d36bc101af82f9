with moved as (update readpast_job j set waits_for = case when batch is not null then 'WAVE' when group_key is not null then 'GROUP' end, unseen = unseen and batch is not null, state = case when batch is not null or group_key is not null then 'BLOCKED' when available_at <= greatest(clock_timestamp(), enqueued_at) then 'AVAILABLE' else 'SCHEDULED' end,
  position = case when not (batch is not null or group_key is not null) and available_at <= greatest(clock_timestamp(), enqueued_at) then nextval('readpast_position') end
where id = any(array(
 select id from readpast_job where id = any(cast(?1 as bigint[])) and waits_for = 'PREDECESSOR'
 order by id for update))
 and waits_for = 'PREDECESSOR' and not exists (
   select 1 from readpast_predecessor p
   where p.job_id between j.id and j.id and (p.ended_as is null or p.on_failure = 'HOLD'
     or exists (
       select 1 from readpast_job again where again.id between p.predecessor_id and p.predecessor_id)))returning queue, type, priority, state, batch, wave,
   case when waits_for = 'GROUP' then group_key end as group_key, available_at, waits_for)
select queue, type, priority, state, batch, wave, group_key, min(available_at), waits_for, count(*)
from moved group by queue, type, priority, state, batch, wave, group_key, waits_for
