select id, state in ('AVAILABLE', 'SCHEDULED') and queue = ?2 and type = ?3
from readpast_job where unique_key = ?1
