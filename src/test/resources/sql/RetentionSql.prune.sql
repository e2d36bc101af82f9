with gone as (delete from readpast_job_history where id = any(array(
  select h.id from readpast_queue q
  left join unnest(cast(?3 as text[]), cast(?4 as bigint[])) own(queue, kept) on own.queue = q.name
  cross join lateral (
    select id from readpast_job_history ended
    where queue = q.name and state = ?1
      and not exists (
        select 1 from readpast_predecessor p join readpast_job j on j.id = p.job_id
        where p.predecessor_id = ended.id and p.on_failure = 'HOLD' and j.state = 'BLOCKED')
      and not (?1 = 'DISCARDED' and exists (
        select 1 from readpast_hold s left join readpast_batch b on b.id = s.batch
        where s.job_id = ended.id and (s.group_key is not null or b.finished_at is null)))
      and ended_at < (select clock_timestamp()) - coalesce(own.kept, cast(?2 as bigint)) * interval '1 millisecond'
    order by ended_at limit ?5
    for update skip locked) h
  limit ?5))
returning id), failure as (
  delete from readpast_failure where job_id = any(array(select id from gone))), log as (
  delete from readpast_log where job_id = any(array(select id from gone))), progress as (
  delete from readpast_progress where job_id = any(array(select id from gone))), predecessor as (
  delete from readpast_predecessor where job_id = any(array(select id from gone))), sql_log as (
  delete from readpast_sql_log where job_id = any(array(select id from gone)))
select count(*) from gone
