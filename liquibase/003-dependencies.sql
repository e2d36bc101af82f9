--liquibase formatted sql

--changeset readpast:dependencies
create table readpast_batch (
  id bigint generated always as identity constraint readpast_batch_pk primary key,
  name varchar(255) collate "C" not null constraint readpast_batch_name unique,
  on_failure varchar(10) collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  sealed_at timestamptz,
  cancelled_at timestamptz,
  finished_at timestamptz,
  held_at timestamptz,
  constraint readpast_batch_on_failure check (on_failure in ('HOLD', 'CONTINUE', 'CANCEL'))
) with (fillfactor = 70);
comment on table readpast_batch is 'batches of jobs, which run in waves';
comment on column readpast_batch.cancelled_at is 'the time since which the jobs of the batch that have not started are being cancelled';
comment on column readpast_batch.held_at is 'the time since which an operator has held the batch; while the batch is held, no job that waits for its wave is released';
create index readpast_batch_held on readpast_batch (id) where held_at is not null;
create index readpast_batch_sealed on readpast_batch (id) where sealed_at is not null and finished_at is null;

create table readpast_batch_queue (
  batch bigint not null,
  queue varchar(64) collate "C" not null,
  constraint readpast_batch_queue_pk primary key (batch, queue)
);
comment on table readpast_batch_queue is 'the queues of current and former jobs of each batch; only a caller that may see all of these queues sees the batch';

create table readpast_wave (
  batch bigint not null,
  no integer not null,
  live integer not null default 0,
  completed bigint not null default 0,
  discarded bigint not null default 0,
  cancelled bigint not null default 0,
  expired bigint not null default 0,
  constraint readpast_wave_pk primary key (batch, no)
) with (fillfactor = 50);
comment on table readpast_wave is 'counts of the jobs that the dependency resolver has processed; only the node that holds the resolver lock changes them';

create table readpast_callback (
  id bigint generated always as identity constraint readpast_callback_pk primary key,
  batch bigint not null,
  event varchar(7) collate "C" not null,
  queue varchar(64) collate "C" not null,
  type varchar(300) collate "C" not null,
  priority smallint not null,
  max_attempts integer,
  correlation_id varchar(255),
  properties json,
  payload json not null,
  fired_at timestamptz,
  job_id bigint,
  enqueued_by varchar(255),
  enqueuer_roles text,
  reserved_id bigint,
  constraint readpast_callback_event check (event in ('SUCCESS', 'DISCARD', 'FINISH'))
);
comment on table readpast_callback is 'callbacks of batches; the first callback of each batch and event becomes a job, once';
comment on column readpast_callback.reserved_id is 'the reserved id of the job of the callback, to which an encrypted payload is bound, so that a node without the key can create the job; null: no id is reserved';
create index readpast_callback_batch on readpast_callback (batch, event, id);

-- The table has a minimum size for the same reason as readpast_job.
create table readpast_predecessor (
  job_id bigint not null,
  predecessor_id bigint not null,
  on_failure varchar(6) collate "C" not null,
  seen_at timestamptz,
  decided boolean not null default false,
  ended_as varchar(10) collate "C",
  first_check bigint,
  constraint readpast_predecessor_pk primary key (job_id, predecessor_id),
  constraint readpast_predecessor_on_failure check (on_failure in ('HOLD', 'CANCEL', 'RUN'))
) with (vacuum_truncate = false);
comment on table readpast_predecessor is 'dependencies between jobs: the job with job_id waits for the job with predecessor_id';
comment on column readpast_predecessor.decided is 'true if the end of the predecessor has been processed, or will be noticed reliably';
comment on column readpast_predecessor.ended_as is 'the final state of a predecessor that did not succeed';
comment on column readpast_predecessor.first_check is 'the check_no of readpast_writers when the dependency resolver first read this row; null: the resolver has not read the row';

insert into readpast_predecessor (job_id, predecessor_id, on_failure, seen_at, decided)
select -i, -i, 'RUN', clock_timestamp(), true from generate_series(1, 10000) i;
delete from readpast_predecessor where job_id < 0;

create table readpast_group (
  queue varchar(64) collate "C" not null,
  key varchar(255) collate "C" not null,
  concurrency integer not null default 1,
  constraint readpast_group_pk primary key (queue, key),
  constraint readpast_group_concurrency check (concurrency between 1 and 1000)
);
comment on table readpast_group is 'groups that do not allow exactly one concurrent job';

create table readpast_hold (
  job_id bigint constraint readpast_hold_pk primary key,
  batch bigint,
  wave integer,
  queue varchar(64) collate "C",
  group_key varchar(255) collate "C",
  constraint readpast_hold_what check (batch is not null or group_key is not null)
);
comment on table readpast_hold is 'discarded jobs that hold their group or the later waves of their batch';
create index readpast_hold_batch on readpast_hold (batch, wave) where batch is not null;
create index readpast_hold_group on readpast_hold (queue, group_key) where group_key is not null;

create table readpast_dependency_event (
  id bigint generated always as identity constraint readpast_dependency_event_pk primary key,
  event varchar(7) collate "C" not null,
  job_id bigint,
  state varchar(10) collate "C",
  queue varchar(64) collate "C",
  group_key varchar(255) collate "C",
  group_holds boolean,
  batch bigint,
  wave integer,
  counted boolean,
  jobs bigint[],
  constraint readpast_dependency_event_event check (event in ('ENDED', 'RESET', 'SEAL', 'SKIP', 'HOLD', 'RELEASE', 'CANCEL', 'RECHECK'))
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0
);
comment on table readpast_dependency_event is 'events of jobs for which other jobs may wait; an event is written in the transaction that causes it, and the dependency resolver reads it after the commit';
comment on column readpast_dependency_event.job_id is 'the job of the event; for RECHECK, a job that has ended and has followers that have not been notified';
comment on column readpast_dependency_event.counted is 'true if the wave of the job counts it as live';
comment on column readpast_dependency_event.jobs is 'the jobs that one statement ended and that have equal values in all other columns; null: only job_id, if it is set';

-- The virtual transaction ids of open transactions, which every role may read, determine which
-- transactions may hide the end of a predecessor. Start times of transactions are unsuitable: few roles
-- may read them, and clocks can be set back.
create table readpast_writers (
  id smallint default 1 constraint readpast_writers_pk primary key,
  check_no bigint not null,
  known jsonb not null,
  constraint readpast_writers_one check (id = 1)
) with (fillfactor = 10);
comment on table readpast_writers is 'one row: the transactions that had written jobs and were open at the last check; only the node that holds the resolver lock changes the row';
comment on column readpast_writers.check_no is 'the number of the last check; each check increases it';
comment on column readpast_writers.known is 'an object that maps the virtual transaction id of each transaction to the check_no before the check that first found the transaction';

insert into readpast_writers (check_no, known) values (1, '{}');
