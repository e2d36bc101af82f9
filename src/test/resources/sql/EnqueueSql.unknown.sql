select id from unnest(cast(?1 as bigint[])) id
where id < 1 or id > (select case when is_called then last_value else 0 end from readpast_job_id)
