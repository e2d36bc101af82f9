--liquibase formatted sql

--changeset readpast:schedule
create table readpast_schedule (
  name varchar(100) collate "C" constraint readpast_schedule_pk primary key,
  kind varchar(5) collate "C" not null,
  expression varchar(200) not null,
  zone varchar(50) not null,
  anchor timestamptz not null,
  type varchar(100) collate "C" not null,
  queue varchar(64) collate "C" not null,
  priority smallint not null,
  payload json not null,
  catch_up varchar(4) collate "C" not null,
  catch_up_cap integer not null,
  overlap varchar(5) collate "C" not null,
  latest_start_ms bigint,
  enabled boolean not null,
  switched boolean,
  declared_by varchar(200),
  declared_node varchar(200),
  place varchar(300),
  next_at timestamptz not null,
  last_job bigint,
  changed_at timestamptz not null default clock_timestamp(),
  constraint readpast_schedule_kind check (kind in ('CRON', 'DAILY', 'EVERY')),
  constraint readpast_schedule_priority check (priority between 0 and 9),
  constraint readpast_schedule_catch_up check (catch_up in ('NONE', 'ONCE', 'ALL') and catch_up_cap between 1 and 10000),
  constraint readpast_schedule_overlap check (overlap in ('ALLOW', 'SKIP')),
  constraint readpast_schedule_latest_start check (latest_start_ms > 0),
  constraint readpast_schedule_declared check (num_nulls(declared_by, declared_node, place) in (0, 3))
) with (fillfactor = 50);
comment on column readpast_schedule.enabled is 'as defined';
comment on column readpast_schedule.switched is 'as an operator has said, which wins; null: nothing';
comment on column readpast_schedule.declared_by is 'the application whose code or configuration declares it; null: it was made over REST';
comment on column readpast_schedule.place is 'where it is declared';
comment on column readpast_schedule.next_at is 'the first planned moment that nobody has decided on';
comment on column readpast_schedule.last_job is 'of its latest run';
create index readpast_schedule_due on readpast_schedule (next_at) where coalesce(switched, enabled);

--changeset readpast:schedule_run
create table readpast_schedule_run (
  schedule varchar(100) collate "C" not null,
  planned_at timestamptz not null,
  manual boolean not null default false,
  decided_at timestamptz not null default clock_timestamp(),
  job_id bigint,
  skipped varchar(8) collate "C",
  moments integer not null default 1,
  constraint readpast_schedule_run_pk primary key (schedule, planned_at, manual),
  constraint readpast_schedule_run_skipped check (
    skipped is null or (skipped in ('MISSED', 'OVERLAP', 'TOO_LATE') and job_id is null))
);
comment on table readpast_schedule_run is 'one row for each planned moment, inserted in the transaction that enqueues its job';
comment on column readpast_schedule_run.manual is 'somebody ran it by hand at this moment';
comment on column readpast_schedule_run.skipped is 'why there is no job';
comment on column readpast_schedule_run.moments is 'how many planned moments in a row it stands for, this one being the last; above 1 only where they were MISSED';
create index readpast_schedule_run_job on readpast_schedule_run (job_id) where job_id is not null;
