select type, type, configured_global_concurrency from readpast_type_limit
union
select split_part(a.name, '@', 1), l.type, l.configured_global_concurrency
from readpast_type_limit l join readpast_type a on a.alias_of = l.type
