insert into readpast_node (id, name, version, lease_ms, audit_kept_ms, queues, types, owner, application, module)
values (cast(?1 as uuid), ?2, ?3, ?4, ?5, cast(?6 as text[]), cast(?7 as text[]), ?8, ?9, ?10)
returning no
