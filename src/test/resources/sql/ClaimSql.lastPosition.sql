select cast(date_part('epoch', pg_postmaster_start_time()) * 1000000 as bigint)   || '/' || (select oid from pg_database where datname = current_database()) || '/' || tableoid,
  case when is_called then last_value else 0 end
from readpast_position
