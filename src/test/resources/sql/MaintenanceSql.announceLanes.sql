with recursive lane(queue, type, priority) as (
  (select queue, type, priority from readpast_job where state <> 'RUNNING' and position between (select 0) and (select 9223372036854775807) and priority between (select 0) and (select 9) order by queue, type, priority, position limit 1)
  union all
  select next.* from lane cross join lateral (
    select queue, type, priority from readpast_job where state <> 'RUNNING' and position between (select 0) and (select 9223372036854775807) and priority between (select 0) and (select 9) and (queue, type, priority) > (lane.queue, lane.type, lane.priority)
    order by queue, type, priority, position limit 1) next)
insert into readpast_release (queue, type, priority, position)
select queue, type, priority, 0 from lane limit 1000
