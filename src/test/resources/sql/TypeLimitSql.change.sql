insert into readpast_type_limit as t (type, global_concurrency) values (?1, cast(?2 as int))
on conflict (type) do update set global_concurrency = excluded.global_concurrency, since = case when coalesce(t.global_concurrency, t.configured_global_concurrency, 10000) >= 10000 then clock_timestamp() else t.since end
