insert into readpast_type_limit (type) values (?1)
on conflict (type) do update set type = excluded.type returning global_concurrency
