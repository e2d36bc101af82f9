select id from readpast_job where id = any(cast(?1 as bigint[])) and state <> 'RUNNING'
order by id for update skip locked
