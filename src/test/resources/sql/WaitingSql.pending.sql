select 1 where exists (select 1 from readpast_dependency_event)
  or exists (select 1 from readpast_job where unseen and id between (select 0) and (select 9223372036854775807))
  or exists (select 1 from readpast_predecessor where not decided)
  or exists (
    select 1 from readpast_batch b where sealed_at is not null and finished_at is null
      and not exists (select 1 from readpast_wave w where w.batch = b.id and w.live > 0))
