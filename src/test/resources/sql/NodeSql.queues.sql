select name, paused, concurrency, reserved, global_concurrency from readpast_queue order by name
