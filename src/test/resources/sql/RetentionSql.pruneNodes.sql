delete from readpast_node n where state in ('DEAD', 'STOPPED')
  and ended_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'
  and not exists (select 1 from readpast_lease where node = n.no)
