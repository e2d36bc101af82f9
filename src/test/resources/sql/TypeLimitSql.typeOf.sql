select coalesce(alias_of, ?1) from readpast_type where split_part(name, '@', 1) = ?1 limit 1
