insert into readpast_log (job_id, attempt, line) values (?1, ?2, ?3)
