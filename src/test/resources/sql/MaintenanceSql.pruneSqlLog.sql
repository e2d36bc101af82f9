delete from readpast_sql_log where job_id = any(cast(?1 as bigint[]))
