insert into readpast_type_limit as t (type, configured_global_concurrency)
select * from unnest(cast(?1 as text[]), cast(?2 as int[])) as u(type, most)
where not exists (
  select 1 from readpast_type_limit s where s.type = u.type and s.configured_global_concurrency = u.most)
order by type
on conflict (type) do update
  set configured_global_concurrency = excluded.configured_global_concurrency, since = case when coalesce(t.global_concurrency, t.configured_global_concurrency, 10000) >= 10000 then clock_timestamp() else t.since end
