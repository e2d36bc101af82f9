update readpast_type set alias_of = null
where alias_of = any(cast(?1 as text[])) and split_part(name, '@', 1) <> all(cast(?2 as text[]))
