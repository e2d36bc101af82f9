update readpast_queue set used_at = clock_timestamp() where name = any(array(
  select name from readpast_queue where name = any(cast(?1 as text[]))
    and used_at < clock_timestamp() - interval '10 minutes'
  for update skip locked))
