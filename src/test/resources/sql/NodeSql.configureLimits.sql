insert into readpast_queue as q (name, configured_global_concurrency)
select * from unnest(cast(?1 as text[]), cast(?2 as int[])) as u(queue, most) order by queue
on conflict (name) do update set configured_global_concurrency = excluded.configured_global_concurrency
where q.configured_global_concurrency is distinct from excluded.configured_global_concurrency
