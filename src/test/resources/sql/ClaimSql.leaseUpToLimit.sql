with found as materialized (
  select id, type, priority, position, row_number() over before as no, sum(bytes) over before <= cast(?9 as bigint)
    and sum(micros) over before <= cast(?10 as bigint) as fits
  from (select j.id, j.bytes, lane.micros, lane.type, lane.priority, j.position from unnest(
    (select cast(?2 as text[])), (select cast(?3 as int[])), (select cast(?4 as bigint[])),
    (select cast(?5 as bigint[])))
  as lane(type, priority, mark, micros)
cross join lateral (
  select id, position, octet_length(cast(payload as text)) + coalesce(octet_length(cast(properties as text)), 0) as bytes
  from readpast_job
  where queue = ?1 and type = lane.type and priority = lane.priority and state <> 'RUNNING'
    and queue between ?1 and ?1 and type between lane.type and lane.type
    and priority between lane.priority and lane.priority
    and position >= lane.mark
  order by position limit 500
  for update skip locked
) j limit (select greatest(0, least(cast(?7 as int), cast(?11 as int) - (select count(*) from readpast_job
where id = any(array(select unnest(jobs) from readpast_lease where queue = ?1)) and state = 'RUNNING'
  and queue || '' = ?1))))) f window before as (rows unbounded preceding)
), picked as materialized (
  select array(select id from found where no = 1 or fits) as jobs
), cut as materialized (
  select type, priority, min(position) as position from found where no > 1 and not fits and position is not null
  group by type, priority
), announced as (
  insert into readpast_release (queue, type, priority, position)
  select ?1, type, priority, position from cut
  where not exists (
    select 1 from readpast_release r where r.queue = ?1 and r.type = cut.type and r.priority = cut.priority
      and r.position <= cut.position and r.released_at > clock_timestamp() - interval '1 second')
), lease as (
  insert into readpast_lease (node, queue, jobs, deadline)
  select ?6, ?1, jobs, clock_timestamp() + cast(?8 as bigint) * interval '1 millisecond'
  from picked where jobs <> '{}' returning id),
leased as (update readpast_job set state = 'RUNNING', owner = ?6, claim_no = claim_no + 1, attempt = attempt + 1,
claimed_at = (select clock_timestamp()),
deadline = (select clock_timestamp() + cast(?8 as bigint) * interval '1 millisecond') where id = any(cast((select jobs from picked) as bigint[])) returning array[id, priority, position, claim_no, attempt, uncounted, crashes, max_attempts, cast(date_part('epoch', enqueued_at) * 1000000 as bigint), cast(date_part('epoch', available_at) * 1000000 as bigint), cast(date_part('epoch', claimed_at) * 1000000 as bigint),
  cast(expires_at <= claimed_at as int), (select id from lease), batch] as numbers,
array[type, unique_key, correlation_id, cast(properties as text), cast(payload as text), content_type,
  case when enqueued_by is not null then enqueued_by || coalesce(chr(10) || enqueuer_roles, '') end, group_key] as texts) select array_agg(numbers) filter (where numbers is not null), array_agg(texts) filter (where texts is not null), (select array_agg(type || ':' || priority || ':' || position) from cut), (select greatest(0, least(cast(?7 as int), cast(?11 as int) - (select count(*) from readpast_job
where id = any(array(select unnest(jobs) from readpast_lease where queue = ?1)) and state = 'RUNNING'
  and queue || '' = ?1)))) < cast(?7 as int) from leased
