with news as (
  select queue, receivers, received, completed, failed, dead, wake_ups, empty_receives, errors, enqueued,
    cast(waits as bigint[]) as waits, cast(runs as bigint[]) as runs
  from unnest(cast(?2 as text[]), cast(?3 as int[]), cast(?4 as bigint[]), cast(?5 as bigint[]),
    cast(?6 as bigint[]), cast(?7 as bigint[]), cast(?8 as bigint[]), cast(?9 as bigint[]),
    cast(?10 as bigint[]), cast(?11 as bigint[]), cast(?12 as text[]), cast(?13 as text[]))
    u(queue, receivers, received, completed, failed, dead, wake_ups, empty_receives, errors, enqueued, waits, runs)
), kept as (
  insert into readpast_listener (node, queue, receivers, received, completed, failed, dead, wake_ups,
    empty_receives, errors, enqueued, waits, runs)
  select ?1, * from news
  on conflict (node, queue) do update set receivers = excluded.receivers, received = excluded.received,
    completed = excluded.completed, failed = excluded.failed, dead = excluded.dead,
    wake_ups = excluded.wake_ups, empty_receives = excluded.empty_receives, errors = excluded.errors,
    enqueued = excluded.enqueued, waits = excluded.waits, runs = excluded.runs
), used as (
  update readpast_queue set used_at = clock_timestamp() where name in (
    select name from readpast_queue
    where used_at < clock_timestamp() - interval '10 minutes' and name in (
      select n.queue from news n left join readpast_listener o on o.node = ?1 and o.queue = n.queue
      where (n.enqueued, n.received, n.completed, n.failed) is distinct from
        (coalesce(o.enqueued, 0), coalesce(o.received, 0), coalesce(o.completed, 0), coalesce(o.failed, 0)))
    for update skip locked)
)
insert into readpast_minute as m (minute, queue, node, enqueued, completed, failed, dead, waits, runs)
select date_trunc('minute', clock_timestamp()), n.queue, ?1, n.enqueued - coalesce(o.enqueued, 0),
  n.completed - coalesce(o.completed, 0), n.failed - coalesce(o.failed, 0), n.dead - coalesce(o.dead, 0),
  array(select coalesce(a, 0) - coalesce(b, 0) from unnest(n.waits, o.waits) with ordinality x(a, b, i) order by i), array(select coalesce(a, 0) - coalesce(b, 0) from unnest(n.runs, o.runs) with ordinality x(a, b, i) order by i)
from news n left join readpast_listener o on o.node = ?1 and o.queue = n.queue
  and o.enqueued <= n.enqueued and o.received <= n.received
where (n.enqueued, n.completed, n.failed, n.dead, n.waits, n.runs)
  is distinct from (o.enqueued, o.completed, o.failed, o.dead, o.waits, o.runs)
on conflict (minute, queue, node) do update set enqueued = m.enqueued + excluded.enqueued,
  completed = m.completed + excluded.completed, failed = m.failed + excluded.failed,
  dead = m.dead + excluded.dead, waits = array(select coalesce(a, 0) + coalesce(b, 0) from unnest(m.waits, excluded.waits) with ordinality x(a, b, i) order by i), runs = array(select coalesce(a, 0) + coalesce(b, 0) from unnest(m.runs, excluded.runs) with ordinality x(a, b, i) order by i)
