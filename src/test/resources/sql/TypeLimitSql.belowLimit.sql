select t.type from readpast_type_limit t
where t.type = any(cast(?1 as text[])) and coalesce(t.global_concurrency, t.configured_global_concurrency, 10000) > (select count(*) from readpast_job j
where j.id = any(array(select unnest(l.jobs) from readpast_lease l
    where l.limited_type = any(array(select t.type
      union all select split_part(a.name, '@', 1) from readpast_type a where a.alias_of = t.type))
      or l.limited_type is null and l.claimed_at < t.since + interval '15 seconds'))
  and j.state = 'RUNNING'
  and (split_part(j.type, '@', 1) = any(array(select t.type
      union all select split_part(a.name, '@', 1) from readpast_type a where a.alias_of = t.type))
    or j.id = any(array(select unnest(l.jobs) from readpast_lease l where l.limited_type = any(array(select t.type
      union all select split_part(a.name, '@', 1) from readpast_type a where a.alias_of = t.type))))))
