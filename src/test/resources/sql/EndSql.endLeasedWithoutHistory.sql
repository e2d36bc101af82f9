with ended as (
  delete from readpast_job j using unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as boolean[])) as e(e_id, e_claim_no, e_followed)
  where j.id = e_id and j.claim_no = e_claim_no and j.state = 'RUNNING'
  returning id, queue, group_key, group_holds, batch, wave, unseen, 'COMPLETED' as e_state, (j.group_key is not null and not e_followed or (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
  or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
  or (select current_setting('transaction_isolation') <> 'read committed'))) as awaited), reported as (
  insert into readpast_dependency_event (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
  select 'ENDED', array_agg(id), e_state, queue, group_key, group_holds, batch, wave, not unseen
  from ended where awaited group by 3, 4, 5, 6, 7, 8, 9
) select array_agg(id), bool_or(awaited) from ended
