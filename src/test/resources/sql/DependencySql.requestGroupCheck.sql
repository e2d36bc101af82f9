insert into readpast_dependency_event (event, queue, group_key)
select distinct 'RECHECK', n.queue, n.group_key
from (select id, queue, group_key, state from readpast_job
where id = any(array(select unnest(jobs) from readpast_lease where of_groups)) and state = 'RUNNING'
  and waits_for || '' = 'GROUP') n join unnest(cast(?1 as text[]), cast(?2 as text[])) g(queue, key)
  on g.queue = n.queue and g.key = n.group_key
