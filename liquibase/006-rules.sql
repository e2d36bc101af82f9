--liquibase formatted sql

--changeset readpast:rule
create table readpast_rule (
  name varchar(64) collate "C" constraint readpast_rule_pk primary key,
  search text not null,
  datasource varchar(255),
  type varchar(100) collate "C" not null,
  queue varchar(64) collate "C" not null,
  priority smallint not null,
  computation varchar(100) collate "C",
  schedule varchar(255),
  enabled boolean not null,
  declared boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  filled_by bigint,
  constraint readpast_rule_priority check (priority between 0 and 9)
);
comment on column readpast_rule.datasource is 'one of readpast.sql.datasources; null: that of the queue';
comment on column readpast_rule.computation is 'type of the job that runs first; the job of the rule''s type follows it';
comment on column readpast_rule.declared is 'by configuration';
comment on column readpast_rule.filled_by is 'the job that fills it now; another one waits for its end';

--changeset readpast:rule_run
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
  error varchar(2000),
  constraint readpast_rule_run_state check (state in ('RUNNING', 'COMPLETED', 'FAILED'))
) with (fillfactor = 50);
comment on column readpast_rule_run.attempt is 'the fence: what an earlier attempt of the job still writes is refused';
comment on column readpast_rule_run.staged is 'objects kept in readpast_rule_found; null: the search is not through';
comment on column readpast_rule_run.moved is 'the last place of those that have become jobs, or were skipped';
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
comment on table readpast_rule_found is 'what a search has found and is not queued yet';

--changeset readpast:sql_log
create table readpast_sql_log (
  id bigint generated always as identity constraint readpast_sql_log_pk primary key,
  job_id bigint not null,
  attempt integer not null,
  statement varchar(100),
  datasource varchar(255) not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  rows bigint,
  error varchar(2000)
);
comment on table readpast_sql_log is 'executions of jobs of type sql';
comment on column readpast_sql_log.statement is 'its configured name; null: given with the job';
create index readpast_sql_log_job on readpast_sql_log (job_id);
