delete from readpast_audit where id = any(array(
  select id from readpast_audit
  where at < (select clock_timestamp() - max(audit_kept_ms) * interval '1 millisecond' from readpast_node)
  order by at, id limit ?1 for update skip locked))
returning id
