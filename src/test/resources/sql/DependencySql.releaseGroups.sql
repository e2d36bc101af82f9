with moved as (update readpast_job set waits_for = null, unseen = false, state = case when false then 'BLOCKED' when available_at <= greatest(clock_timestamp(), enqueued_at) then 'AVAILABLE' else 'SCHEDULED' end,
  position = case when not (false) and available_at <= greatest(clock_timestamp(), enqueued_at) then nextval('readpast_position') end
where waits_for || '' = 'GROUP' and state = 'BLOCKED' and id = any(array(
 with next as materialized (select id, queue, group_key, state from readpast_job
where id = any(array(select unnest(jobs) from readpast_lease where of_groups)) and state = 'RUNNING'
  and waits_for || '' = 'GROUP')
 select n.id from unnest(cast(?1 as text[]), cast(?2 as text[])) g(queue, key)
 left join readpast_group own on own.queue = g.queue and own.key = g.key
 cross join lateral (
   select id, row_number() over (order by id) as place from (
     (select id from readpast_job j where queue = g.queue and group_key = g.key and waits_for = 'GROUP'
       and state = 'BLOCKED' and queue between g.queue and g.queue and id between (select 0) and (select 9223372036854775807)
       and (select cancelled_at from readpast_batch where id = j.batch) is null
       and not exists (select 1 from readpast_hold h where h.queue = g.queue and h.group_key = g.key)
     order by id limit (
       select coalesce(max(concurrency), 1) from readpast_group
       where queue = any(cast(?1 as text[])) and key = any(cast(?2 as text[]))))
     union all
     select j.id from readpast_hold h join readpast_job j on j.id = h.job_id
     where h.queue = g.queue and h.group_key = g.key and j.waits_for || '' = 'GROUP'
       and j.state = 'BLOCKED' and (select cancelled_at from readpast_batch where id = j.batch) is null) first
 ) n
 where not exists (
     select 1 from readpast_dependency_event e where e.event = 'ENDED' and e.state = 'DISCARDED' and e.group_holds
       and e.queue = g.queue and e.group_key = g.key)
   and n.place <= coalesce(own.concurrency, 1) - (
     select count(*) from readpast_job a
     where a.queue = g.queue and a.group_key = g.key and a.waits_for is null)
   - case when (g.queue, g.key) not in (select queue, group_key from next) then 0
     when coalesce(own.concurrency, 1) = 1 then 1
     else (select count(*) from next where queue = g.queue and group_key = g.key) end
 order by 1))returning queue, type, priority, state, batch, wave,
   case when waits_for = 'GROUP' then group_key end as group_key, available_at, waits_for)
select queue, type, priority, state, batch, wave, group_key, min(available_at), waits_for, count(*)
from moved group by queue, type, priority, state, batch, wave, group_key, waits_for
