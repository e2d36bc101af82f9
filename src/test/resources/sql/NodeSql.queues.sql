select name, paused, concurrency, reserved, global_concurrency, configured_global_concurrency,
  used_at > clock_timestamp() - interval '30 minutes'
from readpast_queue order by name
