insert into readpast_type (name, max_attempts) values (?1, ?2)
on conflict (name) do update set max_attempts = excluded.max_attempts
where readpast_type.max_attempts <> excluded.max_attempts
