delete from readpast_lease l
where not exists (select 1 from readpast_node n where n.no = l.node and n.state in ('ACTIVE', 'STOPPING'))
  and (select 1 from readpast_job j where j.id = any(l.jobs) and j.owner = l.node limit 1) is null
