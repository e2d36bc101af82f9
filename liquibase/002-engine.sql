--liquibase formatted sql

--changeset readpast:engine
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
  receivers integer not null default 0,
  queues varchar(64)[] not null,
  types varchar(300)[] not null,
  taken_over integer not null default 0,
  drain_requested boolean not null default false,
  backends integer[] not null default '{}',
  steady_since timestamptz not null default clock_timestamp(),
  audit_kept_ms bigint,
  owner varchar(101) collate "C",
  application varchar(255),
  module varchar(255),
  constraint readpast_node_state check (state in ('ACTIVE', 'STOPPING', 'STOPPED', 'DEAD'))
) with (fillfactor = 50);
comment on table readpast_node is 'every engine that has run on this database';
comment on column readpast_node.drain_requested is 'true if an operator has drained the node: it claims no more jobs. The node reads this value with its heartbeat';
comment on column readpast_node.backends is 'process ids of the database sessions that run jobs of the node in transactions; after the node has died, another node terminates the remaining sessions';
comment on column readpast_node.steady_since is 'the time since which no two consecutive heartbeats of the node were more than two thirds of its lease apart, by the clock of the database';
comment on column readpast_node.audit_kept_ms is 'the retention of the audit in the configuration of the node; the longest retention of any node applies';
comment on column readpast_node.owner is 'the prefix of the default names of the node: the application, or application~module if the two differ';

create table readpast_listener (
  node integer not null,
  queue varchar(64) collate "C" not null,
  receivers integer not null,
  received bigint not null,
  completed bigint not null,
  failed bigint not null,
  dead bigint not null,
  wake_ups bigint not null,
  empty_receives bigint not null,
  errors bigint not null,
  enqueued bigint not null default 0,
  waits bigint[] not null default '{}',
  runs bigint[] not null default '{}',
  constraint readpast_listener_pk primary key (node, queue)
) with (fillfactor = 50);
comment on table readpast_listener is 'the counters of each node and queue at the last heartbeat of the node';
comment on column readpast_listener.waits is 'a histogram of the time between the due time and the claim of a job, with two buckets for each doubling; the first bucket ends at 128 microseconds';
comment on column readpast_listener.runs is 'a histogram of the durations of handlers, with the same buckets as the column waits';

create table readpast_registration (
  node integer not null,
  type varchar(300) collate "C" not null,
  application varchar(200) collate "C" not null,
  shape text,
  since timestamptz not null default clock_timestamp(),
  unreadable_job bigint,
  constraint readpast_registration_pk primary key (node, type)
);
comment on table readpast_registration is 'the job types that nodes handle. Rows of a node that has ended stay until no job of the type waits, or until the application registers the same type again';
comment on column readpast_registration.shape is 'the shape of the payload; null: the payload has no fixed shape, or is read through upcasts';
comment on column readpast_registration.since is 'the time since which the application has registered the type with this shape';
comment on column readpast_registration.unreadable_job is 'the last job whose payload no live node could read';
create index readpast_registration_application on readpast_registration (application);
create index readpast_registration_type on readpast_registration (type);

create table readpast_queue (
  name varchar(64) collate "C" constraint readpast_queue_pk primary key,
  paused boolean not null default false,
  concurrency integer,
  created_at timestamptz not null default clock_timestamp(),
  reserved integer,
  global_concurrency integer,
  used_at timestamptz not null default clock_timestamp(),
  configured_global_concurrency integer,
  constraint readpast_queue_concurrency check (concurrency between 0 and 1000),
  constraint readpast_queue_configured_global_concurrency check (configured_global_concurrency between 0 and 10000),
  constraint readpast_queue_global_concurrency check (global_concurrency between 0 and 10000),
  constraint readpast_queue_reserved check (reserved between 0 and 1000)
);
comment on column readpast_queue.concurrency is 'the number of receivers per node, as set by an operator; null: the configured number applies';
comment on column readpast_queue.reserved is 'the number of workers of each node that only this queue may use, as set by an operator; null: the configured number applies';
comment on column readpast_queue.global_concurrency is 'the limit of RUNNING jobs across all nodes, as set by an operator; null: configured_global_concurrency applies';
comment on column readpast_queue.used_at is 'the time when a job was last enqueued to or run in the queue, accurate to ten minutes. A queue without jobs and settings is removed some time after its last use';
comment on column readpast_queue.configured_global_concurrency is 'the limit of RUNNING jobs across all nodes in the configuration of the engine that has such a limit and started last; null: no engine has one. The limit applies on every engine';

create table readpast_type (
  name varchar(300) collate "C" constraint readpast_type_pk primary key,
  max_attempts integer not null,
  registered_at timestamptz not null default clock_timestamp(),
  alias_of varchar(300) collate "C"
);
comment on table readpast_type is 'every job type for which an engine has ever registered a handler';
comment on column readpast_type.max_attempts is 'the maximum number of attempts; -1: unlimited';
comment on column readpast_type.alias_of is 'the job type whose limits count the jobs of this name, according to the engine that handles that type and started last; null: the type itself';

-- A limit by job type counts jobs of several queues, versions and aliases. A claim under such a limit
-- records the type in its lease, so that the leases are sufficient to count the jobs.
create table readpast_type_limit (
  type varchar(300) collate "C" constraint readpast_type_limit_pk primary key,
  configured_global_concurrency integer,
  since timestamptz not null default clock_timestamp(),
  global_concurrency integer,
  constraint readpast_type_limit_configured_global_concurrency check (configured_global_concurrency between 0 and 10000),
  constraint readpast_type_limit_global_concurrency check (global_concurrency between 0 and 10000)
);
comment on table readpast_type_limit is 'limits of RUNNING jobs by job type across all nodes and queues; a claim locks the row of the type while it counts the jobs';
comment on column readpast_type_limit.configured_global_concurrency is 'the limit in the configuration of the engine that has such a limit and started last; null: no engine has one; 10000: no limit';
comment on column readpast_type_limit.since is 'the time since which the type has been limited; earlier leases do not record the type that counts them';
comment on column readpast_type_limit.global_concurrency is 'the limit as set by an operator; null: configured_global_concurrency applies; 10000: no limit';

create table readpast_idempotency (
  key varchar(255) collate "C" not null,
  principal varchar(255) not null,
  fingerprint varchar(64) not null,
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  access text,
  constraint readpast_idempotency_pk primary key (principal, key)
);
comment on table readpast_idempotency is 'responses to requests with an Idempotency-Key';
comment on column readpast_idempotency.access is 'the roles by queue of the caller that received the response; null: access to every queue';
create index readpast_idempotency_created on readpast_idempotency (created_at);

create table readpast_minute (
  minute timestamptz not null,
  queue varchar(64) collate "C" not null,
  node integer not null,
  enqueued bigint not null,
  completed bigint not null,
  failed bigint not null,
  dead bigint not null,
  waits bigint[] not null,
  runs bigint[] not null,
  constraint readpast_minute_pk primary key (minute, queue, node)
) with (fillfactor = 50);
comment on table readpast_minute is 'the counters of each node and queue for one minute; minutes without activity have no row';

create table readpast_depth (
  minute timestamptz not null,
  queue varchar(64) collate "C" not null,
  depth bigint not null,
  constraint readpast_depth_pk primary key (minute, queue)
);
comment on table readpast_depth is 'the number of AVAILABLE and RUNNING jobs of each queue in a minute, counted up to a limit; empty queues have no row';

-- The table is unlogged, because rows live for minutes and are written only while the console is open.
create unlogged table readpast_second (
  second timestamptz not null,
  queue varchar(64) collate "C" not null,
  type varchar(300) collate "C" not null,
  node integer not null,
  enqueued bigint not null,
  completed bigint not null,
  failed bigint not null,
  waits bigint[] not null,
  runs bigint[] not null,
  constraint readpast_second_pk primary key (second, queue, type, node)
);
comment on table readpast_second is 'the counters of each node, queue and type for one second; the row with an empty queue and type has the events that the node did not count separately';

create table readpast_watch (
  one boolean not null default true,
  until timestamptz not null,
  constraint readpast_watch_pk primary key (one),
  constraint readpast_watch_one check (one)
);
comment on table readpast_watch is 'at most one row: the time until which nodes store counters of each second, because a user has the console open';

-- Each action writes one entry, and users read entries by several filters: each filter has an index in
-- the order of the list.
create table readpast_audit (
  id bigint generated always as identity constraint readpast_audit_pk primary key,
  at timestamptz not null default clock_timestamp(),
  who varchar(255) not null,
  action varchar(64) collate "C" not null,
  target varchar(512),
  detail json not null,
  queues text[]
);
comment on table readpast_audit is 'actions of users and applications on jobs, job types, queues, batches, schedules and rules; an entry is written in the transaction of its action';
comment on column readpast_audit.target is 'the id of a job, or the name of a job type, queue, batch, schedule, rule or node; for a group, queue/group; null: several targets';
comment on column readpast_audit.queues is 'the queues that the entry concerns; only callers that may see all of these queues see the entry; empty: no queue; null: unknown queues, so that only callers with access to every queue see the entry';
create index readpast_audit_action on readpast_audit (action, at, id);
create index readpast_audit_at on readpast_audit (at, id);
create index readpast_audit_target on readpast_audit (target, at, id);
create index readpast_audit_who on readpast_audit (who, at, id);

create table readpast_encryption_key (
  id varchar(64) collate "C" constraint readpast_encryption_key_pk primary key,
  sample text not null,
  first_used_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
comment on table readpast_encryption_key is 'keys that have been used for encryption';
comment on column readpast_encryption_key.sample is 'the id of the key, encrypted with the key itself: a node that has a different key with this id does not start';
comment on column readpast_encryption_key.retired_at is 'the time when a rotation found nothing that is encrypted with the key; null: encrypted content may exist';
