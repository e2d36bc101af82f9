delete from readpast_cancellation c where job_id = any(cast(?1 as bigint[]))
  and not exists (select 1 from readpast_job where id = c.job_id)
