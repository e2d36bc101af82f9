with found as (select w.batch, w.wave, w.queue, w.type, w.priority, w.group_key is null and available_at <= greatest(clock_timestamp(), enqueued_at) as ready, count(*) as jobs, (select live from readpast_wave where batch = w.batch and no = w.wave) as live from readpast_batch b
    cross join lateral (select no from (select min(no) from readpast_wave where batch = b.id and live > 0) lowest(no)
      where no <= coalesce((select min(wave) from readpast_hold where batch = b.id), no)
        and no <= coalesce((select min(wave) from readpast_job where batch = b.id and unseen), no)) open(no)
    cross join lateral (
      select * from readpast_job
      where batch = b.id and batch between (select 0) and (select 9223372036854775807) and wave between open.no and open.no
        and waits_for = 'WAVE' and state = 'BLOCKED' and not unseen
      order by wave, id limit ?2) w
    where b.id = any(cast(?1 as bigint[])) and b.cancelled_at is null and b.held_at is null group by 1, 2, 3, 4, 5, 6
), look as (
  insert into readpast_dependency_event (event, batch, wave)
  select 'RECHECK', batch, wave from found where ready and jobs >= cast(?3 as int))
select * from found
