--liquibase formatted sql

--changeset readpast:schedules
create table readpast_schedule (
  name varchar(300) collate "C" constraint readpast_schedule_pk primary key,
  kind varchar(5) collate "C" not null,
  expression varchar(200) not null,
  zone varchar(50) not null,
  anchor timestamptz not null,
  type varchar(300) collate "C" not null,
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
  fingerprint varchar(64) collate "C",
  defined_by varchar(200),
  constraint readpast_schedule_catch_up check (catch_up in ('NONE', 'ONCE', 'ALL') and catch_up_cap between 1 and 10000),
  constraint readpast_schedule_declared check (num_nulls(declared_by, declared_node, place) in (0, 3)),
  constraint readpast_schedule_kind check (kind in ('CRON', 'DAILY', 'EVERY')),
  constraint readpast_schedule_latest_start check (latest_start_ms > 0),
  constraint readpast_schedule_overlap check (overlap in ('ALLOW', 'SKIP')),
  constraint readpast_schedule_priority check (priority between 0 and 9)
) with (fillfactor = 50);
comment on column readpast_schedule.enabled is 'true if the schedule is enabled in its definition';
comment on column readpast_schedule.switched is 'whether an operator has enabled or disabled the schedule, which takes precedence over the definition; null: neither';
comment on column readpast_schedule.declared_by is 'the owner whose code or configuration declares the schedule; null: the schedule was created over REST or at run time';
comment on column readpast_schedule.declared_node is 'the name of the node whose definition applies';
comment on column readpast_schedule.place is 'the method or configuration that declares the schedule';
comment on column readpast_schedule.next_at is 'the planned time of the first run that has neither started nor been skipped';
comment on column readpast_schedule.last_job is 'the job of the latest run of the schedule';
comment on column readpast_schedule.fingerprint is 'the fingerprint of the declared definition; the schedule fires only while a live node of the owner declares this definition';
comment on column readpast_schedule.defined_by is 'the application that created the schedule at run time; null: code, configuration, a rule or an operator created it';
create index readpast_schedule_due on readpast_schedule (next_at) where coalesce(switched, enabled);

create table readpast_schedule_declaration (
  schedule varchar(300) collate "C" not null,
  node integer not null,
  owner varchar(101) collate "C" not null,
  fingerprint varchar(64) collate "C" not null,
  place varchar(300) not null,
  since timestamptz not null,
  constraint readpast_schedule_declaration_pk primary key (schedule, node)
);
comment on table readpast_schedule_declaration is 'the schedules that each node declares. Among the definitions that live nodes declare, the one that was first declared most recently applies';
comment on column readpast_schedule_declaration.fingerprint is 'the fingerprint of the definition';
comment on column readpast_schedule_declaration.since is 'the earliest known time at which this owner declared this definition';

create table readpast_schedule_run (
  schedule varchar(300) collate "C" not null,
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
comment on table readpast_schedule_run is 'one row for each planned run, inserted in the transaction that enqueues the job of the run';
comment on column readpast_schedule_run.manual is 'true if an operator started the run at this time';
comment on column readpast_schedule_run.skipped is 'the reason why the run has no job';
comment on column readpast_schedule_run.moments is 'the number of consecutive planned runs that the row represents; planned_at is the last of them; more than 1 only if the runs were MISSED';
create index readpast_schedule_run_job on readpast_schedule_run (job_id) where job_id is not null;

create table readpast_rule (
  name varchar(64) collate "C" constraint readpast_rule_pk primary key,
  search text not null,
  datasource varchar(255),
  type varchar(300) collate "C" not null,
  queue varchar(64) collate "C" not null,
  priority smallint not null,
  computation varchar(300) collate "C",
  schedule varchar(255),
  enabled boolean not null,
  declared boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  filled_by bigint,
  declared_by varchar(101) collate "C",
  constraint readpast_rule_priority check (priority between 0 and 9)
);
comment on column readpast_rule.datasource is 'one of readpast.sql.datasources; null: the data source of the queue';
comment on column readpast_rule.computation is 'the type of the job that runs before the job of the rule''s type';
comment on column readpast_rule.declared is 'true if the configuration declares the rule';
comment on column readpast_rule.filled_by is 'the job that currently runs the search of the rule; other such jobs wait until this job has ended';
comment on column readpast_rule.declared_by is 'the owner whose configuration declares the rule; null: none';

create table readpast_rule_run (
  id bigint generated always as identity constraint readpast_rule_run_pk primary key,
  rule varchar(64) collate "C" not null,
  job_id bigint not null constraint readpast_rule_run_job unique,
  attempt integer not null,
  state varchar(10) collate "C" not null default 'RUNNING',
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  found bigint not null default 0,
  added bigint not null default 0,
  skipped bigint not null default 0,
  staged bigint,
  moved bigint not null default 0,
  error text,
  constraint readpast_rule_run_state check (state in ('RUNNING', 'COMPLETED', 'FAILED'))
) with (fillfactor = 50);
comment on column readpast_rule_run.attempt is 'the attempt of the job, which is the fencing token of the run: writes of an earlier attempt are refused';
comment on column readpast_rule_run.staged is 'the number of rows of the run in readpast_rule_found; null: the search has not finished';
comment on column readpast_rule_run.moved is 'the place of the last row of readpast_rule_found that has become a job or was skipped';
create index readpast_rule_run_rule on readpast_rule_run (rule, id);

create table readpast_rule_found (
  run bigint not null,
  place bigint not null,
  key varchar(185) not null,
  payload json not null,
  constraint readpast_rule_found_pk primary key (run, place)
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0
);
comment on table readpast_rule_found is 'search results that are not enqueued yet';

create table readpast_sql_log (
  id bigint generated always as identity constraint readpast_sql_log_pk primary key,
  job_id bigint not null,
  attempt integer not null,
  statement varchar(100),
  datasource varchar(255) not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  rows bigint,
  error text
);
comment on table readpast_sql_log is 'statements that jobs of type sql have executed';
comment on column readpast_sql_log.statement is 'the configured name of the statement; null: the statement was supplied with the job';
create index readpast_sql_log_job on readpast_sql_log (job_id);
