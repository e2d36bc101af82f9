select type from readpast_type_limit where type = any(cast(?1 as text[]))
for no key update skip locked
