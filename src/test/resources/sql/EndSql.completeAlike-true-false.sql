with ended as (
  delete from readpast_job j
  where id = any(cast((select cast(?1 as bigint[])) as bigint[])) and claim_no = ?2 and state = 'RUNNING' and group_key is null and (batch is null) is false returning id, queue, group_key, group_holds, batch, wave, unseen), told as (
  insert into readpast_dependency_event (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
  select 'ENDED', array_agg(id), 'COMPLETED', queue, group_key, group_holds, batch, wave, not unseen
  from ended where true group by 3, 4, 5, 6, 7, 8, 9
),gone as (select array_agg(id) as ids from ended) select ids, ids is not null from gone
