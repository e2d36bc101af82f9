select j.id, b.id from readpast_batch b cross join lateral (
  select id from readpast_job
  where batch = b.id and batch between (select 0) and (select 9223372036854775807) and id between (select 0) and (select 9223372036854775807) and state <> 'RUNNING'
  order by id limit ?2 for update skip locked) j
where b.id = any(cast(?1 as bigint[])) and b.cancelled_at is not null
limit ?2
