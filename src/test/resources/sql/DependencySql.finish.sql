with done as (
  update readpast_batch b set finished_at = coalesce(finished_at, clock_timestamp()), held_at = null
  where id = any(cast(?1 as bigint[])) and not exists (select 1 from readpast_job where batch = b.id)
    and not exists (select 1 from readpast_dependency_event where batch = b.id and (event <> 'RECHECK' or wave is null))
  returning id)
select id, not exists (select 1 from readpast_wave w
  where w.batch = done.id and w.discarded + w.cancelled + w.expired > 0)
from done
