delete from readpast_job j where id = ?1 and claim_no = ?2 and state = 'RUNNING' and not (j.group_key is not null or (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
  or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
  or (select current_setting('transaction_isolation') <> 'read committed')))
