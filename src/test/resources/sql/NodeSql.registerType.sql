insert into readpast_type as t (name, max_attempts, alias_of) values (?1, ?2, ?3)
on conflict (name) do update set max_attempts = excluded.max_attempts,
  alias_of = coalesce(excluded.alias_of, t.alias_of)
where t.max_attempts <> excluded.max_attempts or t.alias_of <> excluded.alias_of
  or t.alias_of is null and excluded.alias_of is not null
