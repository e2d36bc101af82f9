select lane.no from unnest(
    (select cast(?2 as text[])), (select cast(?3 as int[])), (select cast(?4 as bigint[])))
  with ordinality as lane(type, priority, mark, no)
cross join lateral (
  select 1 from readpast_job
  where queue = ?1 and type = lane.type and priority = lane.priority and state <> 'RUNNING'
    and queue between ?1 and ?1 and type between lane.type and lane.type
    and priority between lane.priority and lane.priority
    and position >= lane.mark
  order by position limit 1
) j
