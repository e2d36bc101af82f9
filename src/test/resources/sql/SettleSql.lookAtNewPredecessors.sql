with seen as materialized (
  select p.predecessor_id, p.job_id, p.seen_at, p.on_failure,
    exists (select 1 from readpast_job where id = p.predecessor_id) as lives,
    (select state from readpast_job_history where id = p.predecessor_id) as ended_as,
    coalesce(p.seen_at < cast(?4 as timestamptz), false) as old
  from readpast_predecessor p
  where p.seen_at is null and (p.predecessor_id, p.job_id) > (?1, ?2)
  order by p.predecessor_id, p.job_id limit ?3
), noted as (
  update readpast_predecessor p set seen_at = coalesce(p.seen_at, clock_timestamp()),
    settled = p.settled or (seen.old and seen.lives)
  from seen where p.predecessor_id = seen.predecessor_id and p.job_id = seen.job_id
    and (p.seen_at is null or (seen.old and seen.lives))
)
select predecessor_id, job_id, on_failure,
  case when lives then null when ended_as is not null then ended_as when old then 'COMPLETED' end
from seen order by 1, 2
