insert into readpast_progress (job_id, done, total) values (?1, ?2, ?3)
on conflict (job_id) do update
set done = excluded.done, total = excluded.total, updated_at = clock_timestamp()
