with obsolete as (delete from readpast_job_history where id = any(array(
  select id from readpast_job_history ended
  where kept_until < (select clock_timestamp())
    and not exists (
      select 1 from readpast_predecessor p join readpast_job j on j.id = p.job_id
      where p.predecessor_id = ended.id and p.on_failure = 'HOLD' and j.state = 'BLOCKED')
    and not (state = 'DISCARDED' and exists (
      select 1 from readpast_hold s left join readpast_batch b on b.id = s.batch
      where s.job_id = ended.id and (s.group_key is not null or b.finished_at is null)))
  order by kept_until limit ?1
  for update skip locked))
returning id), failure as (
  delete from readpast_failure where job_id = any(array(select id from obsolete))), log as (
  delete from readpast_log where job_id = any(array(select id from obsolete))), progress as (
  delete from readpast_progress where job_id = any(array(select id from obsolete))), predecessor as (
  delete from readpast_predecessor where job_id = any(array(select id from obsolete))), sql_log as (
  delete from readpast_sql_log where job_id = any(array(select id from obsolete)))
select count(*) from obsolete
