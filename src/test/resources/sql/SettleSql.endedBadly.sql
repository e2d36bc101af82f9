update readpast_predecessor p set ended_as = e.state, settled = true
from unnest(cast(?1 as bigint[]), cast(?2 as text[])) as e(id, state)
where p.predecessor_id = e.id
returning p.job_id, p.on_failure
