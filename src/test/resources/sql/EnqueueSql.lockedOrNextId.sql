with waiting as materialized (
  select id from readpast_job
  where unique_key = ?1 and state in ('AVAILABLE', 'SCHEDULED') and queue = ?2 and type = ?3
  for no key update)
select coalesce((select id from waiting), nextval('readpast_job_id'))
