select nextval('readpast_job_id') from generate_series(1, cast(?1 as int))
