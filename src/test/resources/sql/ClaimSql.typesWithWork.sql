with recursive t(type) as (
  (select type from readpast_job where queue = ?1 and queue between ?1 and ?1 and position between (select 0) and (select 9223372036854775807) and priority between (select 0) and (select 9) and state <> 'RUNNING' order by type limit 1)
  union all
  select (select type from readpast_job where queue = ?1 and queue between ?1 and ?1 and position between (select 0) and (select 9223372036854775807) and priority between (select 0) and (select 9) and state <> 'RUNNING' and type > t.type
    order by type limit 1) from t where t.type is not null) select type from t where type is not null
