select name from readpast_queue where name = any(cast(?1 as text[]))
