delete from readpast_log where job_id = any(cast(?1 as bigint[]))
