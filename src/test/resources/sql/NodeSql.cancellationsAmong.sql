select job_id from readpast_cancellation where job_id = any(cast(?1 as bigint[]))
