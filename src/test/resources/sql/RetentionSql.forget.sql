with obsolete as materialized (
  select distinct job_id as id from (
    select job_id from readpast_failure where ended_at < clock_timestamp() - interval '1 hour'
    union all
    select job_id from readpast_log where logged_at < clock_timestamp() - interval '1 hour'
    union all
    select job_id from readpast_progress where updated_at < clock_timestamp() - interval '1 hour'
    union all
    select job_id from readpast_sql_log where started_at < clock_timestamp() - interval '1 hour'
    union all
    select job_id from readpast_predecessor where seen_at < clock_timestamp() - interval '1 hour') kept
  where not exists (select 1 from readpast_job where id = job_id)
    and not exists (select 1 from readpast_job_history where id = job_id)
  limit ?1), failure as (
  delete from readpast_failure where job_id = any(array(select id from obsolete))), log as (
  delete from readpast_log where job_id = any(array(select id from obsolete))), progress as (
  delete from readpast_progress where job_id = any(array(select id from obsolete))), predecessor as (
  delete from readpast_predecessor where job_id = any(array(select id from obsolete))), sql_log as (
  delete from readpast_sql_log where job_id = any(array(select id from obsolete)))
select count(*) from obsolete
