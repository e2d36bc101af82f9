delete from readpast_audit where id = any(array(
  select id from readpast_audit
  where at < (select clock_timestamp()) - cast(?1 as bigint) * interval '1 millisecond'
  order by at, id limit ?2 for update skip locked))
returning id
