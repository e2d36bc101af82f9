--liquibase formatted sql

--changeset readpast:queue
create table readpast_queue (
  name varchar(64) collate "C" primary key,
  paused boolean not null default false,
  concurrency integer constraint readpast_queue_concurrency check (concurrency between 0 and 1000),
  created_at timestamptz not null default clock_timestamp()
);
comment on column readpast_queue.concurrency is 'receivers per node; null: what the configuration says';

--changeset readpast:type
create table readpast_type (
  name varchar(100) collate "C" primary key,
  max_attempts integer not null,
  registered_at timestamptz not null default clock_timestamp()
);
comment on table readpast_type is 'every job type that an engine has ever registered a handler for';
comment on column readpast_type.max_attempts is '-1: unlimited';

--changeset readpast:job
create sequence readpast_job_id;
create sequence readpast_position;
create table readpast_job (
  id bigint not null default nextval('readpast_job_id') constraint readpast_job_pk primary key,
  position bigint,
  enqueued_at timestamptz not null default clock_timestamp(),
  available_at timestamptz not null,
  expires_at timestamptz,
  claimed_at timestamptz,
  deadline timestamptz,
  claim_no integer not null default 0,
  attempt integer not null default 0,
  uncounted integer not null default 0,
  crashes integer not null default 0,
  max_attempts integer,
  owner integer,
  priority smallint not null default 4,
  cautious boolean not null default false,
  alone boolean not null default false,
  state varchar(10) collate "C" not null,
  queue varchar(64) collate "C" not null,
  type varchar(100) collate "C" not null,
  unique_key varchar(255) collate "C",
  correlation_id varchar(255),
  properties json,
  payload json not null,
  constraint readpast_job_state check (state in ('SCHEDULED', 'BLOCKED', 'AVAILABLE', 'RUNNING')),
  constraint readpast_job_priority check (priority between 0 and 9),
  constraint readpast_job_max_attempts check (max_attempts = -1 or max_attempts > 0),
  constraint readpast_job_counts check (uncounted between 0 and attempt and crashes >= 0),
  constraint readpast_job_position check ((state = 'AVAILABLE') <= (position is not null)),
  constraint readpast_job_owner check ((state = 'RUNNING') = (owner is not null))
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000
);
comment on table readpast_job is 'live jobs only; an ended job moves to readpast_job_history in the statement that ends it';
comment on column readpast_job.position is 'place in the lane (queue, type, priority); grows each time the job becomes AVAILABLE';
comment on column readpast_job.claim_no is 'the fence: rises at each claim, give-back, retry, release and reset, and never falls';
comment on column readpast_job.attempt is 'deliveries so far';
comment on column readpast_job.uncounted is 'attempts that do not count against max_attempts';
comment on column readpast_job.crashes is 'how often its owner was lost while it was in work; above 0 it runs alone on its node';
comment on column readpast_job.max_attempts is 'null: what readpast_type says; -1: unlimited';
comment on column readpast_job.cautious is 'a TRANSACTIONAL job whose claim was committed before its work, so that a crash is counted';
comment on column readpast_job.alone is 'nothing else was in work on the owner when this attempt started';
create index readpast_job_claim on readpast_job (queue, type, priority, position) where state = 'AVAILABLE';
create index readpast_job_due on readpast_job (available_at, id) where state = 'SCHEDULED';
create index readpast_job_running on readpast_job (owner) where state = 'RUNNING';
create index readpast_job_expiry on readpast_job (expires_at) where expires_at is not null;
create unique index readpast_job_unique on readpast_job (unique_key) where unique_key is not null;

--changeset readpast:job_history
create table readpast_job_history (
  id bigint not null constraint readpast_job_history_pk primary key,
  enqueued_at timestamptz not null,
  available_at timestamptz not null,
  expires_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz not null default clock_timestamp(),
  claim_no integer not null,
  attempt integer not null,
  uncounted integer not null,
  crashes integer not null,
  max_attempts integer,
  node integer,
  priority smallint not null,
  state varchar(10) collate "C" not null,
  queue varchar(64) collate "C" not null,
  type varchar(100) collate "C" not null,
  unique_key varchar(255) collate "C",
  correlation_id varchar(255),
  properties json,
  payload json not null,
  constraint readpast_job_history_state check (state in ('COMPLETED', 'DISCARDED', 'CANCELLED', 'EXPIRED'))
);
create index readpast_job_history_ended on readpast_job_history (queue, state, ended_at);

--changeset readpast:failure
create table readpast_failure (
  id bigint generated always as identity constraint readpast_failure_pk primary key,
  job_id bigint not null,
  attempt integer not null,
  node integer,
  started_at timestamptz,
  ended_at timestamptz not null default clock_timestamp(),
  kind varchar(12) collate "C" not null,
  exception varchar(300),
  message varchar(2000),
  trace text,
  constraint readpast_failure_kind check (kind in ('FAILED', 'RETRY_LATER', 'TIMED_OUT', 'OWNER_LOST', 'UNREADABLE'))
);
create index readpast_failure_job on readpast_failure (job_id);

--changeset readpast:node
create table readpast_node (
  no integer generated always as identity constraint readpast_node_pk primary key,
  id uuid not null constraint readpast_node_id unique,
  name varchar(200) not null,
  version varchar(50) not null,
  state varchar(10) collate "C" not null default 'ACTIVE',
  started_at timestamptz not null default clock_timestamp(),
  beat_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  lease_ms bigint not null,
  cautious boolean not null default false,
  receivers integer not null default 0,
  queues varchar(64)[] not null,
  types varchar(100)[] not null,
  working bigint[] not null default '{}',
  taken_over integer not null default 0,
  constraint readpast_node_state check (state in ('ACTIVE', 'STOPPING', 'STOPPED', 'DEAD'))
) with (fillfactor = 50);
comment on column readpast_node.working is 'jobs in TRANSACTIONAL work at the last heartbeat, which nobody else can see yet';
