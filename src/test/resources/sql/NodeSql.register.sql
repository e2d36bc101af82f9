insert into readpast_node (id, name, version, lease_ms, queues, types)
values (cast(?1 as uuid), ?2, ?3, ?4, cast(?5 as text[]), cast(?6 as text[]))
returning no
