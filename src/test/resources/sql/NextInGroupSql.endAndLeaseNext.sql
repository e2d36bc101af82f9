with ended as (
  delete from readpast_job j
  using unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as text[]), cast(?4 as bigint[]),
    cast(?6 as bigint[]), cast(?7 as text[]))
    as e(e_id, e_claim_no, e_state, e_started_at, e_keep, e_result)
  where j.id = e_id and j.claim_no = e_claim_no and j.state = 'RUNNING'
  returning id, enqueued_at, available_at, expires_at, claimed_at, claim_no, attempt, uncounted, crashes, max_attempts,
  owner, priority, state, queue, type, unique_key, correlation_id, properties, payload, batch, wave, group_key,
  group_holds, unseen, content_type, enqueued_by, enqueuer_roles, e_state, e_started_at, e_keep, e_result, (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
  or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
  or (select current_setting('transaction_isolation') <> 'read committed')) as awaited_beyond), following as materialized (
  select id, place, queue from (
    select n.id, n.ctid as place, e.queue, array_position(first.places, n.ctid) as no,
      row_number() over (partition by e.id order by n.id) as locked, sum(n.bytes) over (order by n.id) as total
    from ended e
    cross join lateral (select coalesce(nullif(array(select ctid from readpast_job where queue = e.queue and group_key = e.group_key and waits_for = 'GROUP'
    and state = 'BLOCKED' and queue between e.queue and e.queue and id between (select 0) and e.id + 5000
  order by id limit (case when e.group_holds then 1 else cast(?11 as int) end)), '{}'), nullif(array(select ctid from readpast_job where queue = e.queue and group_key = e.group_key and waits_for = 'GROUP'
    and state = 'BLOCKED' and queue between e.queue and e.queue and id between (select 0) and e.id + 40000
  order by id limit (case when e.group_holds then 1 else cast(?11 as int) end)), '{}'), array(select ctid from readpast_job where queue = e.queue and group_key = e.group_key and waits_for = 'GROUP'
    and state = 'BLOCKED' and queue between e.queue and e.queue and id between (select 0) and (select 9223372036854775807)
  order by id limit (case when e.group_holds then 1 else cast(?11 as int) end))) as places offset 0) first
    cross join lateral (
      select id, ctid, octet_length(cast(payload as text)) + coalesce(octet_length(cast(properties as text)), 0) as bytes
      from readpast_job
      where ctid = any(first.places) and waits_for || '' = 'GROUP' and state = 'BLOCKED' and type = e.type
        and priority = e.priority and batch is null and not unseen and available_at <= greatest(clock_timestamp(), enqueued_at)
      for update skip locked) n
    where e.group_key is not null and e.e_state = 'COMPLETED'
      and not exists (select 1 from readpast_dependency_event where event = 'ENDED' and state = 'DISCARDED' and group_holds)
      and not exists (select 1 from readpast_hold h where h.queue = e.queue and h.group_key = e.group_key)
      and not exists (select 1 from readpast_group own where own.queue = e.queue and own.key = e.group_key)
  ) found where no = locked and total <= cast(?12 as bigint)
), deleted as (
  delete from readpast_lease where id = cast(?10 as bigint)
), lease as (
  insert into readpast_lease (node, queue, jobs, deadline, of_groups)
  select cast(?8 as int), min(queue), array_agg(id order by id), clock_timestamp() + cast(?9 as bigint) * interval '1 millisecond',
    true
  from following having count(*) > 0 returning id
), leased as (
  update readpast_job set
state = 'RUNNING', owner = cast(?8 as int), claim_no = claim_no + 1, attempt = attempt + 1,
claimed_at = (select clock_timestamp()),
deadline = (select clock_timestamp() + cast(?9 as bigint) * interval '1 millisecond') where ctid = any(array(select place from following)) returning array[id, priority, position, claim_no, attempt, uncounted, crashes, max_attempts, cast(date_part('epoch', enqueued_at) * 1000000 as bigint), cast(date_part('epoch', available_at) * 1000000 as bigint), cast(date_part('epoch', claimed_at) * 1000000 as bigint),
  cast(expires_at <= claimed_at as int), (select id from lease), batch] as numbers,
array[type, unique_key, correlation_id, cast(properties as text), cast(payload as text), content_type,
  case when enqueued_by is not null then enqueued_by || coalesce(chr(10) || enqueuer_roles, '') end, group_key] as texts, group_key as of_group), kept as (insert into readpast_job_history (id, enqueued_at, available_at, expires_at, started_at, claim_no, attempt,
  uncounted, crashes, max_attempts, node, priority, state, queue, type, unique_key, correlation_id,
  properties, payload, batch, wave, group_key, group_holds, content_type, result,
  enqueued_by, enqueuer_roles, kept_until)
select id, enqueued_at, available_at, expires_at, timestamptz 'epoch' + e_started_at * interval '1 microsecond', claim_no, attempt - cast(e_started_at is null as int),
  coalesce(uncounted, 0) + case when e_state = 'DISCARDED' then 0 else coalesce(crashes, 0) end,
  coalesce(crashes, 0), max_attempts, cast(?5 as int), priority, e_state, queue, type, unique_key, correlation_id,
  properties, case when e_keep > 0 then payload end, batch, wave, group_key, group_holds, content_type,
  cast(e_result as json), enqueued_by, enqueuer_roles,
  clock_timestamp() + abs(e_keep) * interval '1 millisecond'
from ended where e_keep <> 0), reported as (
  insert into readpast_dependency_event (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
  select 'ENDED', array_agg(id), e_state, queue, group_key, group_holds, batch, wave, not unseen
  from ended where awaited_beyond or group_key is not null and not exists (select 1 from leased where of_group = ended.group_key) group by 3, 4, 5, 6, 7, 8, 9
) select array_agg(id), bool_or(awaited_beyond or group_key is not null and of_group is null), array_agg(numbers) filter (where numbers is not null), array_agg(texts) filter (where texts is not null), array_agg(id) filter (where numbers is not null) from ended left join leased on of_group = group_key
