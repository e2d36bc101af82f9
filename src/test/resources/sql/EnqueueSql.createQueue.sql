insert into readpast_queue (name) values (?1) on conflict do nothing
