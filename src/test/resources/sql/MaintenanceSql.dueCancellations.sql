select c.job_id from readpast_cancellation c
where (select 1 from readpast_job j where j.id = c.job_id and j.state = 'RUNNING') is null
  and c.requested_at not between clock_timestamp() - interval '5 seconds' and clock_timestamp() order by c.job_id limit ?1 for update skip locked
