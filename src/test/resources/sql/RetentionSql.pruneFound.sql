with ended as materialized (
  select id from readpast_rule_run r
  where state <> 'COMPLETED' and not exists (select 1 from readpast_job where id = r.job_id)
), unstaged as (
  update readpast_rule_run set staged = null where id in (select id from ended) and staged is not null
)
delete from readpast_rule_found where ctid = any(array(
  select f.ctid from ended e join readpast_rule_found f on f.run = e.id limit ?1))
returning run
