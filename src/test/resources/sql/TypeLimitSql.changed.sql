select global_concurrency from readpast_type_limit where type = ?1 for update
