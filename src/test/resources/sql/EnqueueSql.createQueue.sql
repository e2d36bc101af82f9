insert into readpast_queue as q (name) values (?1)
on conflict (name) do update set used_at = excluded.used_at
where q.used_at < excluded.used_at - interval '10 minutes'
