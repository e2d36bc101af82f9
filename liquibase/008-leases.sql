--liquibase formatted sql

--changeset readpast:lease
-- What a claim changes is in no index, nor in the condition of one, so that it writes none. The jobs
-- that a node has are found here instead.
create table readpast_lease (
  id bigint generated always as identity constraint readpast_lease_pk primary key,
  node integer not null,
  jobs bigint[] not null,
  claimed_at timestamptz not null default clock_timestamp(),
  deadline timestamptz not null
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);
comment on table readpast_lease is 'every RUNNING job is in one of its owner; it may name others, until the owner removes it';
insert into readpast_lease (node, jobs, deadline)
select owner, array_agg(id), max(deadline) from readpast_job where state = 'RUNNING' group by owner;

drop index readpast_job_claim;
drop index readpast_job_due;
drop index readpast_job_running;
drop index readpast_job_group_active;
create index readpast_job_claim on readpast_job (queue, type, priority, position) where position is not null;
create index readpast_job_due on readpast_job (available_at, id) where position is null and waits_for is null;
create index readpast_job_group_active on readpast_job (queue, group_key) where group_key is not null and waits_for is null;
alter table readpast_job
  set (fillfactor = 45),
  drop constraint readpast_job_position,
  add constraint readpast_job_position check ((position is null) = (state in ('SCHEDULED', 'BLOCKED')));
comment on column readpast_job.position is 'place in the lane (queue, type, priority); grows each time the job becomes AVAILABLE, and is kept while it is RUNNING';
