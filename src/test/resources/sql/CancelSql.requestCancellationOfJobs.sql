insert into readpast_cancellation (job_id)
select id from readpast_job j where id = any(cast(?1 as bigint[])) and not exists (select 1 from readpast_cancellation c where c.job_id = j.id) order by id
