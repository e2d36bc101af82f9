select id from readpast_batch b where sealed_at is not null
  and (id = any(cast(?1 as bigint[])) or finished_at is null)
  and not exists (select 1 from readpast_wave w where w.batch = b.id and w.live > 0)
order by id limit 1000 for update skip locked
