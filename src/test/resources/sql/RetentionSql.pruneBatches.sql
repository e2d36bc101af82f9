with deleted as (
  delete from readpast_batch where id = any(array(
    select id from readpast_batch b
    where finished_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'
      and not exists (select 1 from readpast_job where batch = b.id)
      and not exists (select 1 from readpast_job_history where batch = b.id)
    order by id limit 500 for update skip locked))
  returning id
), waves as (
  delete from readpast_wave where batch in (select id from deleted)
), queues as (
  delete from readpast_batch_queue where batch in (select id from deleted)
), holds as (
  delete from readpast_hold where batch in (select id from deleted) and group_key is null
)
delete from readpast_callback where batch in (select id from deleted)
