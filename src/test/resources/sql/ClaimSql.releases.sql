select queue, type, priority, min(position) from readpast_release where released_at > clock_timestamp() - interval '5 seconds' group by queue, type, priority
