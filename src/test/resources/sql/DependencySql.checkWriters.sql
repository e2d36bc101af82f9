with now as materialized (select distinct virtualtransaction as writer from pg_locks
where database = (select oid from pg_database where datname = current_database())
  and relation = cast('readpast_job' as regclass) and mode = 'RowExclusiveLock'
  and pid is distinct from pg_backend_pid()), noted as (
  update readpast_writers w set check_no = check_no + 1, known = (
    select coalesce(jsonb_object_agg(writer, case when starts_with(writer, '-1/') then 0
      else coalesce(cast(w.known ->> writer as bigint), w.check_no) end), '{}') from now)
  where known <> '{}' or exists (select 1 from now)
  returning (select min(cast(value as bigint)) from jsonb_each_text(w.known)) as since)
select coalesce((select since from noted), 9223372036854775807)
