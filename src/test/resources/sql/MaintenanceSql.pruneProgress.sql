delete from readpast_progress where job_id = any(cast(?1 as bigint[]))
