select 1 from readpast_job where id = ?1 and claim_no = ?2 and state = 'RUNNING'
