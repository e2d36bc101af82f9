select id from readpast_batch b where id = any(cast(?1 as bigint[])) and cancelled_at is not null
  and exists (select 1 from readpast_job j where j.batch = b.id and j.state = 'BLOCKED')
