with ended as (
  delete from readpast_job j
  using unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as text[]), cast(?4 as bigint[]),
    cast(?6 as bigint[]), cast(?7 as text[]), cast(?8 as boolean[]))
    as e(e_id, e_claim_no, e_state, e_started_at, e_keep, e_result, e_followed)
  where j.id = e_id and j.claim_no = e_claim_no and j.state = 'RUNNING'
  returning id, enqueued_at, available_at, expires_at, claimed_at, claim_no, attempt, uncounted, crashes, max_attempts,
  owner, priority, state, queue, type, unique_key, correlation_id, properties, payload, batch, wave, group_key,
  group_holds, unseen, content_type, enqueued_by, enqueuer_roles, e_state, e_started_at, e_keep, e_result, (j.group_key is not null and not e_followed or (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
  or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
  or (select current_setting('transaction_isolation') <> 'read committed'))) as awaited), kept as (insert into readpast_job_history (id, enqueued_at, available_at, expires_at, started_at, claim_no, attempt,
  uncounted, crashes, max_attempts, node, priority, state, queue, type, unique_key, correlation_id,
  properties, payload, batch, wave, group_key, group_holds, content_type, result,
  enqueued_by, enqueuer_roles, kept_until)
select id, enqueued_at, available_at, expires_at, timestamptz 'epoch' + e_started_at * interval '1 microsecond', claim_no, attempt - cast(e_started_at is null as int),
  coalesce(uncounted, 0) + case when e_state = 'DISCARDED' then 0 else coalesce(crashes, 0) end,
  coalesce(crashes, 0), max_attempts, cast(?5 as int), priority, e_state, queue, type, unique_key, correlation_id,
  properties, case when e_keep > 0 then payload end, batch, wave, group_key, group_holds, content_type,
  cast(e_result as json), enqueued_by, enqueuer_roles,
  clock_timestamp() + abs(e_keep) * interval '1 millisecond'
from ended where e_keep <> 0), reported as (
  insert into readpast_dependency_event (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
  select 'ENDED', array_agg(id), e_state, queue, group_key, group_holds, batch, wave, not unseen
  from ended where awaited group by 3, 4, 5, 6, 7, 8, 9
) select array_agg(id), bool_or(awaited) from ended
