insert into readpast_type_limit as l (type, configured_global_concurrency)
select * from unnest(cast(?1 as text[]), cast(?2 as int[])) as u(type, most) order by type
on conflict (type) do update set configured_global_concurrency = excluded.configured_global_concurrency
where l.configured_global_concurrency <> excluded.configured_global_concurrency
