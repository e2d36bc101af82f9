--liquibase formatted sql

--changeset readpast:batch
create table readpast_batch (
  id bigint generated always as identity constraint readpast_batch_pk primary key,
  name varchar(255) collate "C" not null constraint readpast_batch_name unique,
  on_failure varchar(10) collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  sealed_at timestamptz,
  cancelled_at timestamptz,
  finished_at timestamptz,
  constraint readpast_batch_on_failure check (on_failure in ('HOLD', 'CONTINUE', 'CANCEL'))
) with (fillfactor = 70);
comment on column readpast_batch.cancelled_at is 'what has not started is being cancelled';
create index readpast_batch_sealed on readpast_batch (id) where sealed_at is not null and finished_at is null;

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
comment on table readpast_wave is 'counts of settled jobs; changed only by who holds the settle lock';

create table readpast_callback (
  id bigint generated always as identity constraint readpast_callback_pk primary key,
  batch bigint not null,
  event varchar(7) collate "C" not null,
  queue varchar(64) collate "C" not null,
  type varchar(100) collate "C" not null,
  priority smallint not null,
  max_attempts integer,
  correlation_id varchar(255),
  properties json,
  payload json not null,
  fired_at timestamptz,
  job_id bigint,
  constraint readpast_callback_event check (event in ('SUCCESS', 'DISCARD', 'FINISH'))
);
comment on table readpast_callback is 'the first of a batch and event becomes a job, once';
create index readpast_callback_batch on readpast_callback (batch, event, id);

--changeset readpast:order
alter table readpast_job
  add column batch bigint,
  add column wave integer,
  add column group_key varchar(255) collate "C",
  add column group_holds boolean not null default false,
  add column waits_for varchar(11) collate "C",
  add column unsettled boolean not null default false,
  add constraint readpast_job_wave check ((batch is null) = (wave is null)),
  add constraint readpast_job_waits check ((state = 'BLOCKED') = (waits_for is not null)),
  add constraint readpast_job_waits_for check (waits_for in ('PREDECESSOR', 'WAVE', 'GROUP')),
  add constraint readpast_job_unsettled check (not unsettled or state = 'BLOCKED');
comment on column readpast_job.group_holds is 'discarded, it holds its group';
comment on column readpast_job.waits_for is 'first predecessors, then the wave, then the group';
comment on column readpast_job.unsettled is 'nobody has seen yet that it was added';
create index readpast_job_unsettled on readpast_job (id) where unsettled;
create index readpast_job_batch on readpast_job (batch, id) where batch is not null;
create index readpast_job_wave_waiting on readpast_job (batch, wave, id) where waits_for = 'WAVE';
create index readpast_job_group_waiting on readpast_job (queue, group_key, id) where waits_for = 'GROUP';
create index readpast_job_group_active on readpast_job (queue, group_key) where group_key is not null and state <> 'BLOCKED';

alter table readpast_job_history
  add column batch bigint,
  add column wave integer,
  add column group_key varchar(255) collate "C",
  add column group_holds boolean not null default false;
create index readpast_job_history_batch on readpast_job_history (batch, id) where batch is not null;

--changeset readpast:predecessor
create table readpast_predecessor (
  job_id bigint not null,
  predecessor_id bigint not null,
  on_failure varchar(6) collate "C" not null,
  seen_at timestamptz,
  settled boolean not null default false,
  ended_as varchar(10) collate "C",
  constraint readpast_predecessor_pk primary key (job_id, predecessor_id),
  constraint readpast_predecessor_on_failure check (on_failure in ('HOLD', 'CANCEL', 'RUN'))
);
comment on column readpast_predecessor.settled is 'the end of the predecessor will not be missed, or has been seen';
comment on column readpast_predecessor.ended_as is 'how the predecessor ended, when it ended badly';
create index readpast_predecessor_of on readpast_predecessor (predecessor_id);
create index readpast_predecessor_new on readpast_predecessor (predecessor_id, job_id) where seen_at is null;
create index readpast_predecessor_unsettled on readpast_predecessor (predecessor_id, job_id) where not settled;

--changeset readpast:group
create table readpast_group (
  queue varchar(64) collate "C" not null,
  key varchar(255) collate "C" not null,
  concurrency integer not null default 1,
  constraint readpast_group_pk primary key (queue, key),
  constraint readpast_group_concurrency check (concurrency between 1 and 1000)
);
comment on table readpast_group is 'only groups of which something special is to be said';

--changeset readpast:hold
create table readpast_hold (
  job_id bigint constraint readpast_hold_pk primary key,
  batch bigint,
  wave integer,
  queue varchar(64) collate "C",
  group_key varchar(255) collate "C",
  constraint readpast_hold_what check (batch is not null or group_key is not null)
);
comment on table readpast_hold is 'discarded jobs that keep higher waves, or their groups, from going on';
create index readpast_hold_batch on readpast_hold (batch, wave) where batch is not null;
create index readpast_hold_group on readpast_hold (queue, group_key) where group_key is not null;

--changeset readpast:settle
create table readpast_settle (
  id bigint generated always as identity constraint readpast_settle_pk primary key,
  event varchar(6) collate "C" not null,
  job_id bigint,
  state varchar(10) collate "C",
  queue varchar(64) collate "C",
  group_key varchar(255) collate "C",
  group_holds boolean,
  batch bigint,
  wave integer,
  counted boolean,
  constraint readpast_settle_event check (event in ('ENDED', 'RESET', 'SEAL', 'SKIP', 'CANCEL', 'LOOK'))
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0
);
comment on table readpast_settle is 'what has happened to jobs that others may wait for; written with it, read after its commit';
comment on column readpast_settle.counted is 'whether its wave counts it as live';
