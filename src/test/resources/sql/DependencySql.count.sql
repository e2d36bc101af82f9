with counted as (
insert into readpast_wave as w (batch, no, live, completed, discarded, cancelled, expired)
select c.batch, c.wave, c.live, c.completed, c.discarded, c.cancelled, c.expired
from unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as int[]), cast(?4 as int[]), cast(?5 as int[]),
  cast(?6 as int[]), cast(?7 as int[])) as c(batch, wave, live, completed, discarded, cancelled, expired)
on conflict (batch, no) do update set live = w.live + excluded.live,
  completed = w.completed + excluded.completed, discarded = w.discarded + excluded.discarded,
  cancelled = w.cancelled + excluded.cancelled, expired = w.expired + excluded.expired
returning batch, live)
select batch from counted where live = 0
