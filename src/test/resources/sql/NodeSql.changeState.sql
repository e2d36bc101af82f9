update readpast_node set state = ?2, ended_at = case when ?2 = 'STOPPED' then clock_timestamp() end
where no = ?1 and id = cast(?3 as uuid) and state in ('ACTIVE', 'STOPPING')
