update readpast_callback set job_id = ?2, payload = '{}', properties = null where id = ?1
