insert into readpast_type_limit (type) values (?1) on conflict (type) do nothing
