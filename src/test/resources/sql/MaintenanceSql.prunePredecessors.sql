delete from readpast_predecessor where job_id = any(cast(?1 as bigint[]))
