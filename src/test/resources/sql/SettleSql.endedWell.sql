delete from readpast_predecessor where predecessor_id = any(cast(?1 as bigint[])) returning job_id
