select id from readpast_job where state in ('AVAILABLE', 'SCHEDULED', 'BLOCKED') and expires_at <= (select clock_timestamp()) order by expires_at limit ?1 for update skip locked
