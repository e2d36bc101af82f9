select type, type, configured_global_concurrency from readpast_type_limit t
where configured_global_concurrency < 10000 and not exists (
  select 1 from readpast_type where split_part(name, '@', 1) = t.type and alias_of is not null)
union
select split_part(a.name, '@', 1), l.type, l.configured_global_concurrency
from readpast_type_limit l join readpast_type a on a.alias_of = l.type
where l.configured_global_concurrency < 10000
