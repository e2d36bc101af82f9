update readpast_predecessor p set ended_as = null, decided = false, seen_at = null, first_check = null
where (job_id = any(cast(?1 as bigint[])) or predecessor_id = any(cast(?1 as bigint[])))
  and exists (select 1 from readpast_job j where j.id = p.job_id and j.waits_for = 'PREDECESSOR')
