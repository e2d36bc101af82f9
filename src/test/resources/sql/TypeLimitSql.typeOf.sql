select coalesce(max(alias_of), ?1) from readpast_type where split_part(name, '@', 1) = ?1
having count(*) > 0
