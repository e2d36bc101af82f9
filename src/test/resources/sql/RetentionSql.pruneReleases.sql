delete from readpast_release where released_at < (select clock_timestamp() - interval '1 minute')
  or released_at > (select clock_timestamp() + interval '1 minute')
