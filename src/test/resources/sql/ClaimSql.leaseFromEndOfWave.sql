with found as materialized (
  select id, type, priority, position, row_number() over before as no, sum(bytes) over before <= cast(?11 as bigint)
    and sum(micros) over before <= cast(0 as bigint) as fits
  from (select id, octet_length(cast(payload as text)) + coalesce(octet_length(cast(properties as text)), 0) as bytes,
    0 as micros, type, priority, position from readpast_job
  where batch = ?4 and (wave, id) > (?5, ?9) and (wave, id) < (?5, ?10)
    and batch between (select 0) and (select 9223372036854775807) and waits_for = 'WAVE' and state = 'BLOCKED' and not unseen
    and queue = ?1 and type = ?2 and priority = ?3 and group_key is null and available_at <= greatest(clock_timestamp(), enqueued_at)
    and (select exists (select 1 from readpast_batch where id = ?4 and cancelled_at is null and held_at is null))
    and (select no from (select min(no) from readpast_wave where batch = ?4 and live > 0) lowest(no)
      where no <= coalesce((select min(wave) from readpast_hold where batch = ?4), no)
        and no <= coalesce((select min(wave) from readpast_job where batch = ?4 and unseen), no)) = ?5
  order by wave desc, id desc limit cast(?7 as int)
  for update skip locked) f window before as (rows unbounded preceding)
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
  case when enqueued_by is not null then enqueued_by || coalesce(chr(10) || enqueuer_roles, '') end, group_key] as texts) select array_agg(numbers) filter (where numbers is not null), array_agg(texts) filter (where texts is not null), (select array_agg(type || ':' || priority || ':' || position) from cut), false from leased
