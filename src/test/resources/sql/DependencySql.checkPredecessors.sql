with now as materialized (select distinct virtualtransaction as writer from pg_locks
where database = (select oid from pg_database where datname = current_database())
  and relation = cast('readpast_job' as regclass) and mode = 'RowExclusiveLock'
  and pid is distinct from pg_backend_pid()), seen as materialized (
  select p.address, p.predecessor_id, p.job_id, p.first_check,
    (select cast(xmax as text) from readpast_job where id = p.predecessor_id) as lives_held_by,
    (select state from readpast_job_history where id = p.predecessor_id) as ended_as,
    coalesce(p.first_check < cast(?2 as bigint), false) as old
  from ((select ctid as address, * from readpast_predecessor where first_check is null order by predecessor_id, job_id limit ?1) union all
(select ctid as address, * from readpast_predecessor
  where not decided and first_check between (select 0) and (select cast(?2 as bigint) - 1)
  order by first_check, predecessor_id, job_id limit ?1)
union all
(select ctid as address, * from readpast_predecessor
  where not decided and first_check between (select cast(?2 as bigint)) and (select 9223372036854775807) order by first_check desc, predecessor_id desc, job_id desc limit 100)) p
), checked as (
  update readpast_writers w set check_no = check_no + 1, known = (
    select coalesce(jsonb_object_agg(writer, case when starts_with(writer, '-1/') then 0
      else coalesce(cast(w.known ->> writer as bigint), w.check_no) end), '{}') from now)
  where exists (
    select 1 from seen
    where first_check is null and ended_as is null and coalesce(lives_held_by, '') <> '0')
), noted as (
  update readpast_predecessor p set seen_at = coalesce(p.seen_at, clock_timestamp()),
    first_check = coalesce(p.first_check, (select check_no from readpast_writers)),
    decided = p.decided or (seen.old and lives_held_by is not null)
  from seen where p.ctid = seen.address
    and (p.first_check is null or (seen.old and lives_held_by is not null))
)
select predecessor_id, job_id,
  case when lives_held_by is not null then null when ended_as is not null then ended_as
    when old then 'COMPLETED' end
from seen order by 1, 2
