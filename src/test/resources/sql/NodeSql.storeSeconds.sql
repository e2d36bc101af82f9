with old as (
  delete from readpast_second
  where node = ?1 and second > '-infinity'
    and second < (select clock_timestamp() - interval '5 minutes'))
insert into readpast_second (second, queue, type, node, enqueued, completed, failed, waits, runs)
select to_timestamp(second), queue, type, ?1, enqueued, completed, failed,
  cast(waits as bigint[]), cast(runs as bigint[])
from unnest(cast(?2 as bigint[]), cast(?3 as text[]), cast(?4 as text[]), cast(?5 as bigint[]),
  cast(?6 as bigint[]), cast(?7 as bigint[]), cast(?8 as text[]), cast(?9 as text[]))
  u(second, queue, type, enqueued, completed, failed, waits, runs)
on conflict do nothing
