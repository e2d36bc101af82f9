update readpast_lease set begun = array_append(
  case when cardinality(begun) < 32 then begun
    else array(select id from readpast_job where id = any(begun) and state = 'RUNNING') end,
  cast(?2 as bigint))
where id = ?1 and exists (
  select 1 from readpast_job where id = ?2 and claim_no = ?3 and state = 'RUNNING')
returning id
