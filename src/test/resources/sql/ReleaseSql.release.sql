with given as (
  update readpast_job j set
    state = case when (e_ordered and coalesce(j.waits_for = 'GROUP', false)) then 'BLOCKED' when e_pause > 0 then 'SCHEDULED' else 'AVAILABLE' end,
    position = case when (e_ordered and coalesce(j.waits_for = 'GROUP', false)) or e_pause > 0 then null
      when e_ordered and position is not null then position else nextval('readpast_position') end,
    waits_for = case when (e_ordered and coalesce(j.waits_for = 'GROUP', false)) then 'GROUP' end,
    available_at = case when e_ordered and e_pause = 0 then available_at
      else clock_timestamp() + e_pause * interval '1 millisecond' end,
    claimed_at = case when e_started then claimed_at end,
    claim_no = j.claim_no + 1, attempt = attempt - case when e_started then 0 else 1 end,
    uncounted = nullif(coalesce(uncounted, 0) + case when e_started and not e_counted then 1 else 0 end
      + case when e_crashes is null then coalesce(crashes, 0) else 0 end, 0),
    crashes = case when e_crashes = -1 then crashes else e_crashes end, owner = null, deadline = null
  from unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as boolean[]), cast(?4 as boolean[]),
      cast(?5 as int[]), cast(?6 as bigint[]), cast(?7 as boolean[]))
    as e(e_id, e_claim_no, e_started, e_counted, e_crashes, e_pause, e_ordered)
  where j.id = e_id and j.claim_no = e_claim_no and j.state = 'RUNNING'
  returning j.id, j.queue, j.type, j.priority, j.position, j.group_key, j.waits_for, e_ordered
), rechecked as (
  insert into readpast_dependency_event (event, queue, group_key)
  select distinct 'RECHECK', queue, group_key from given where waits_for = 'GROUP'
), released as (
  insert into readpast_release (queue, type, priority, position)
  select queue, type, priority, min(position) from given where e_ordered and position is not null
  group by queue, type, priority
) select id, waits_for is not null, queue, type, priority, position, e_ordered from given
