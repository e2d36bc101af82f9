select q.*, null, null, null from (select name, paused, concurrency, reserved, global_concurrency, configured_global_concurrency,
  used_at > clock_timestamp() - interval '30 minutes'
from readpast_queue order by name) q
union all
select null, null, null, null, null, null, null, l.* from (select type, type, coalesce(t.global_concurrency, t.configured_global_concurrency, 10000) from readpast_type_limit t
where coalesce(t.global_concurrency, t.configured_global_concurrency, 10000) < 10000 and not exists (
  select 1 from readpast_type where split_part(name, '@', 1) = t.type and alias_of is not null)
union
select split_part(a.name, '@', 1), t.type, coalesce(t.global_concurrency, t.configured_global_concurrency, 10000)
from readpast_type_limit t join readpast_type a on a.alias_of = t.type
where coalesce(t.global_concurrency, t.configured_global_concurrency, 10000) < 10000) l
order by 1
