insert into readpast_queue (name) select unnest(cast(?1 as text[])) on conflict do nothing
returning name
