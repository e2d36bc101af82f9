update readpast_lease set limited_type = ?2 where id = ?1
