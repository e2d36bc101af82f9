select name, id from readpast_batch where name = any(cast(?1 as text[])) and sealed_at is null
order by id for key share
