with owned as (
  select id from readpast_job where id = ?1 and claim_no = ?2 and state = 'RUNNING'),
logged as (
  insert into readpast_log (job_id, attempt, logged_at, line)
  select id, ?3, clock_timestamp() - age * interval '1 millisecond', line
  from owned, unnest(cast(?4 as bigint[]), cast(?5 as text[])) with ordinality u(age, line, no)
  order by no),
shown as (
  insert into readpast_progress (job_id, done, total, updated_at)
  select id, cast(?7 as bigint), cast(?8 as bigint),
    clock_timestamp() - cast(?6 as bigint) * interval '1 millisecond'
  from owned where cast(?6 as bigint) is not null
  on conflict (job_id) do update
  set done = excluded.done, total = excluded.total, updated_at = excluded.updated_at)
select id from owned
