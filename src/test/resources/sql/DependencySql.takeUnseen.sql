with moved as (update readpast_job set unseen = false where id = any(array(
  select id from readpast_job where unseen order by id limit ?1 for update))returning queue, type, priority, state, batch, wave,
   case when waits_for = 'GROUP' then group_key end as group_key, available_at, waits_for), queues as (
  insert into readpast_batch_queue (batch, queue)
  select distinct batch, queue from moved where batch is not null
  on conflict do nothing)
select queue, type, priority, state, batch, wave, group_key, min(available_at), waits_for, count(*)
from moved group by queue, type, priority, state, batch, wave, group_key, waits_for
