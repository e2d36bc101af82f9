insert into readpast_predecessor (job_id, predecessor_id, on_failure)
select * from unnest(cast(?1 as bigint[]), cast(?2 as bigint[]), cast(?3 as text[]))
on conflict do nothing
