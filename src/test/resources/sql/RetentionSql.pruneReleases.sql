delete from readpast_release where released_at < clock_timestamp() - interval '1 minute'
