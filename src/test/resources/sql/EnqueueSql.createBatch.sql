insert into readpast_batch (name, on_failure) values (?1, ?2) on conflict do nothing
