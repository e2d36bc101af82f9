select name from readpast_batch where id = ?1
