select unique_key, id from readpast_job where unique_key = any(cast(?1 as text[]))
