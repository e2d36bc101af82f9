insert into readpast_cancellation (job_id)
select id from readpast_job j
where id = any(array(select unnest(jobs) from readpast_lease)) and batch + 0 = any(cast(?1 as bigint[]))
  and state = 'RUNNING' and not exists (select 1 from readpast_cancellation c where c.job_id = j.id) order by id
