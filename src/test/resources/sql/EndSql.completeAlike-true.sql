with ended as (
  delete from readpast_job j
  where id = any(cast((select cast(?1 as bigint[])) as bigint[])) and claim_no = ?2 and state = 'RUNNING'
    and group_key is null and ((batch is null) is false or not (j.group_key is not null or (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
  or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
  or (select current_setting('transaction_isolation') <> 'read committed')))) returning id, enqueued_at, available_at, expires_at, claimed_at, claim_no, attempt, uncounted, crashes, max_attempts,
  owner, priority, state, queue, type, unique_key, correlation_id, properties, payload, batch, wave, group_key,
  group_holds, unseen, content_type, enqueued_by, enqueuer_roles), kept as (insert into readpast_job_history (id, enqueued_at, available_at, expires_at, started_at, claim_no, attempt,
  uncounted, crashes, max_attempts, node, priority, state, queue, type, unique_key, correlation_id,
  properties, payload, batch, wave, group_key, group_holds, content_type, result,
  enqueued_by, enqueuer_roles, kept_until)
select id, enqueued_at, available_at, expires_at, claimed_at, claim_no, attempt,
  coalesce(uncounted, 0) + case when 'COMPLETED' = 'DISCARDED' then 0 else coalesce(crashes, 0) end,
  coalesce(crashes, 0), max_attempts, owner, priority, 'COMPLETED', queue, type, unique_key, correlation_id,
  properties, case when cast(?3 as bigint) > 0 then payload end, batch, wave, group_key, group_holds, content_type,
  cast(null as json), enqueued_by, enqueuer_roles,
  clock_timestamp() + abs(cast(?3 as bigint)) * interval '1 millisecond'
from ended), reported as (
  insert into readpast_dependency_event (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
  select 'ENDED', array_agg(id), 'COMPLETED', queue, group_key, group_holds, batch, wave, not unseen
  from ended where batch is not null group by 3, 4, 5, 6, 7, 8, 9
) select array_agg(id), bool_or(batch is not null) from ended
