delete from readpast_group where (queue, key) in (
  select queue, key from readpast_group g
  where concurrency = 1 and not exists (
    select 1 from readpast_job where queue = g.queue and group_key = g.key and waits_for is null)
    and not exists (
    select 1 from readpast_job where queue = g.queue and group_key = g.key and waits_for = 'GROUP')
  for update skip locked)
