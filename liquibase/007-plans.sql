--liquibase formatted sql

--changeset readpast:never_small
-- A plan that is made while a table is small reads the whole of it, and stays in use when millions
-- of jobs have come. So these have some size from the start, and vacuum never takes it from them.
alter table readpast_job set (vacuum_truncate = false);
insert into readpast_job (id, state, available_at, queue, type, payload)
select -i, 'SCHEDULED', 'infinity', 'readpast', 'readpast', '{}' from generate_series(1, 10000) i;
delete from readpast_job where id < 0;
alter table readpast_predecessor set (vacuum_truncate = false);
insert into readpast_predecessor (job_id, predecessor_id, on_failure, seen_at, settled)
select -i, -i, 'RUN', clock_timestamp(), true from generate_series(1, 10000) i;
delete from readpast_predecessor where job_id < 0;

--changeset readpast:history_never_small
-- The same of what has ended.
alter table readpast_job_history set (vacuum_truncate = false);
insert into readpast_job_history (id, enqueued_at, available_at, claim_no, attempt, uncounted, crashes, priority,
  state, queue, type, payload)
select -i, clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, 'COMPLETED', 'readpast', 'readpast', '{}'
from generate_series(1, 10000) i;
delete from readpast_job_history where id < 0;
