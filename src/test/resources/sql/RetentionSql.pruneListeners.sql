delete from readpast_listener where node not in (select no from readpast_node)
