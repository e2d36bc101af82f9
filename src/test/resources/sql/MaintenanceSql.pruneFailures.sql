delete from readpast_failure where job_id = any(cast(?1 as bigint[]))
