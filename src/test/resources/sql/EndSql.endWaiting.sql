with ended as (
  delete from readpast_job j where id = any(cast(?1 as bigint[])) and state = any(cast(?3 as text[]))
  returning id, enqueued_at, available_at, expires_at, claimed_at, claim_no, attempt, uncounted, crashes, max_attempts,
  owner, priority, state, queue, type, unique_key, correlation_id, properties, payload, batch, wave, group_key,
  group_holds, unseen, content_type, enqueued_by, enqueuer_roles, position, (j.group_key is not null or (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
  or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
  or (select current_setting('transaction_isolation') <> 'read committed'))) as awaited), kept as (insert into readpast_job_history (id, enqueued_at, available_at, expires_at, started_at, claim_no, attempt,
  uncounted, crashes, max_attempts, node, priority, state, queue, type, unique_key, correlation_id,
  properties, payload, batch, wave, group_key, group_holds, content_type, result,
  enqueued_by, enqueuer_roles, kept_until)
select id, enqueued_at, available_at, expires_at, claimed_at, claim_no, attempt,
  coalesce(uncounted, 0) + case when cast(?2 as text) = 'DISCARDED' then 0 else coalesce(crashes, 0) end,
  coalesce(crashes, 0), max_attempts, cast(null as int), priority, cast(?2 as text), queue, type, unique_key, correlation_id,
  properties, case when coalesce(
  (select ms from unnest(cast(?4 as text[]), cast(?5 as bigint[])) of_type(name, ms) where name = split_part(ended.type, '@', 1)),
  (select ms from unnest(cast(?6 as text[]), cast(?7 as bigint[])) of_queue(name, ms) where name = ended.queue),
  cast(?8 as bigint)) > 0 then payload end, batch, wave, group_key, group_holds, content_type,
  cast(null as json), enqueued_by, enqueuer_roles,
  clock_timestamp() + abs(coalesce(
  (select ms from unnest(cast(?4 as text[]), cast(?5 as bigint[])) of_type(name, ms) where name = split_part(ended.type, '@', 1)),
  (select ms from unnest(cast(?6 as text[]), cast(?7 as bigint[])) of_queue(name, ms) where name = ended.queue),
  cast(?8 as bigint))) * interval '1 millisecond'
from ended), reported as (
  insert into readpast_dependency_event (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
  select 'ENDED', array_agg(id), cast(?2 as text), queue, group_key, group_holds, batch, wave, not unseen
  from ended where awaited group by 3, 4, 5, 6, 7, 8, 9
) select id, awaited, queue, type, attempt, unique_key, correlation_id, enqueued_by, state, priority, position, group_key, batch, cast(properties as text) from ended
