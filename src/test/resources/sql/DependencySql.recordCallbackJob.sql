update readpast_callback set job_id = ?2 where id = ?1
