--liquibase formatted sql

--changeset readpast:batches
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
comment on table readpast_batch is 'batches of jobs, in waves';
comment on column readpast_batch.cancelled_at is 'since when its jobs that have not started are being cancelled';
comment on column readpast_batch.held_at is 'since when an operator holds the batch: no job that waits for its wave is released';
create index readpast_batch_held on readpast_batch (id) where held_at is not null;
create index readpast_batch_sealed on readpast_batch (id) where sealed_at is not null and finished_at is null;

create table readpast_batch_queue (
  batch bigint not null,
  queue varchar(64) collate "C" not null,
  constraint readpast_batch_queue_pk primary key (batch, queue)
);
comment on table readpast_batch_queue is 'the queues of the jobs that a batch has or had. Only a caller that may see all of them sees the batch';

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
comment on table readpast_wave is 'counts of the jobs that the dependency resolver has processed; changed only by the holder of the resolver lock';

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
comment on table readpast_callback is 'callbacks of batches; the first of each batch and event becomes a job, once';
comment on column readpast_callback.reserved_id is 'the id that its job will get, to which an encrypted payload is bound: any node may create the job, also one without the key; null: any id';
create index readpast_callback_batch on readpast_callback (batch, event, id);

--changeset readpast:predecessors
-- It has a minimum size for the same reason as readpast_job.
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
comment on table readpast_predecessor is 'which jobs wait for which';
comment on column readpast_predecessor.decided is 'the end of the predecessor will not be missed, or has been processed';
comment on column readpast_predecessor.ended_as is 'the final state of a predecessor that did not succeed';
comment on column readpast_predecessor.first_check is 'check_no of readpast_writers when the dependency resolver first read this row; null: it has not';

insert into readpast_predecessor (job_id, predecessor_id, on_failure, seen_at, decided)
select -i, -i, 'RUN', clock_timestamp(), true from generate_series(1, 10000) i;
delete from readpast_predecessor where job_id < 0;

--changeset readpast:predecessor-indexes
-- Followers that can be decided are read without the others, and those of one predecessor in the order
-- of their ids, so that large numbers of them are released in short transactions.
create index readpast_predecessor_new on readpast_predecessor (predecessor_id, job_id) where first_check is null;
create index readpast_predecessor_of on readpast_predecessor (predecessor_id, ended_as, job_id);
create index readpast_predecessor_undecided on readpast_predecessor (first_check, predecessor_id, job_id) where not decided;
analyze readpast_predecessor;

--changeset readpast:groups
create table readpast_group (
  queue varchar(64) collate "C" not null,
  key varchar(255) collate "C" not null,
  concurrency integer not null default 1,
  constraint readpast_group_pk primary key (queue, key),
  constraint readpast_group_concurrency check (concurrency between 1 and 1000)
);
comment on table readpast_group is 'groups that allow another number of concurrent jobs than one';

create table readpast_hold (
  job_id bigint constraint readpast_hold_pk primary key,
  batch bigint,
  wave integer,
  queue varchar(64) collate "C",
  group_key varchar(255) collate "C",
  constraint readpast_hold_what check (batch is not null or group_key is not null)
);
comment on table readpast_hold is 'discarded jobs that keep later waves of their batch, or their group, from continuing';
create index readpast_hold_batch on readpast_hold (batch, wave) where batch is not null;
create index readpast_hold_group on readpast_hold (queue, group_key) where group_key is not null;

--changeset readpast:dependency-events
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
comment on table readpast_dependency_event is 'what happened to jobs that others may wait for; written in the same transaction, read by the dependency resolver after the commit';
comment on column readpast_dependency_event.job_id is 'the job; RECHECK: a job that has ended and has followers that have not been notified';
comment on column readpast_dependency_event.counted is 'true if its wave counts the job as live';
comment on column readpast_dependency_event.jobs is 'the jobs that one statement ended and that differ in nothing else; null: only job_id, if any';

--changeset readpast:writers
-- Virtual transaction ids, which every role may see, decide which open transactions may hide the end of a
-- predecessor. Only few roles may see when a transaction began, and clocks are set back.
create table readpast_writers (
  id smallint default 1 constraint readpast_writers_pk primary key,
  check_no bigint not null,
  known jsonb not null,
  constraint readpast_writers_one check (id = 1)
) with (fillfactor = 10);
comment on table readpast_writers is 'one row: the transactions that had written jobs and were open at the last check; changed only by the holder of the resolver lock';
comment on column readpast_writers.check_no is 'increases with each check';
comment on column readpast_writers.known is 'by virtual transaction id, the check_no before the check that first saw it open';

insert into readpast_writers (check_no, known) values (1, '{}');
