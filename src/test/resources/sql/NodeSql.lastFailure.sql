select concat_ws(': ', exception, message) from readpast_failure where job_id = ?1 order by id desc limit 1
