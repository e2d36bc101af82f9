select id, on_failure, sealed_at is not null, cancelled_at is not null, finished_at is not null
from readpast_batch where name = ?1
