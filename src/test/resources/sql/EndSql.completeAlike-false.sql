with ended as (
  delete from readpast_job j
  where id = any(cast((select cast(?1 as bigint[])) as bigint[])) and claim_no = ?2 and state = 'RUNNING'
    and group_key is null and ((batch is null) is false or not (j.group_key is not null or (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
  or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
  or (select current_setting('transaction_isolation') <> 'read committed')))) returning id, queue, group_key, group_holds, batch, wave, unseen), reported as (
  insert into readpast_dependency_event (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
  select 'ENDED', array_agg(id), 'COMPLETED', queue, group_key, group_holds, batch, wave, not unseen
  from ended where batch is not null group by 3, 4, 5, 6, 7, 8, 9
) select array_agg(id), bool_or(batch is not null) from ended
