--liquibase formatted sql

--changeset readpast:nodes
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
comment on column readpast_node.drain_requested is 'an operator wants the node to claim no more jobs; the node reads this with its heartbeat';
comment on column readpast_node.backends is 'process ids of the database sessions that run its jobs in transactions; when the node is dead, those that are left are terminated';
comment on column readpast_node.steady_since is 'since when no two of its heartbeats were further apart than two thirds of its lease, by the clock of the database';
comment on column readpast_node.audit_kept_ms is 'how long its configuration keeps the audit; the longest time that a node states applies';
comment on column readpast_node.owner is 'application, or application~module if the two differ: the prefix of its default names';

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
comment on column readpast_listener.waits is 'a histogram of the time from when jobs were due to when they were claimed: two buckets for each doubling, the first up to 128 microseconds';
comment on column readpast_listener.runs is 'a histogram of how long handlers ran, with the same buckets';

create table readpast_registration (
  node integer not null,
  type varchar(300) collate "C" not null,
  application varchar(200) collate "C" not null,
  shape text,
  since timestamptz not null default clock_timestamp(),
  unreadable_job bigint,
  constraint readpast_registration_pk primary key (node, type)
);
comment on table readpast_registration is 'the job types that nodes handle. Rows of a node that has ended stay until no job of the type waits, or until its application registers the same again';
comment on column readpast_registration.shape is 'the shape of the payload; null: any, or read through upcasts';
comment on column readpast_registration.since is 'since when the application has registered this type with this shape';
comment on column readpast_registration.unreadable_job is 'the last job whose payload neither this node nor any other live node could read';
create index readpast_registration_application on readpast_registration (application);
create index readpast_registration_type on readpast_registration (type);

--changeset readpast:queues
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
comment on column readpast_queue.concurrency is 'receivers per node; null: as configured';
comment on column readpast_queue.reserved is 'workers of each node that no other queue may use; null: as configured';
comment on column readpast_queue.global_concurrency is 'limit of RUNNING jobs over all nodes, as operators set it; null: configured_global_concurrency applies';
comment on column readpast_queue.used_at is 'when a job was last enqueued to or run in the queue, accurate to ten minutes. A queue without jobs and settings is removed later';
comment on column readpast_queue.configured_global_concurrency is 'the same limit as stated by the engine that started last and is configured with one; null: none is. It applies on every engine';

create table readpast_type (
  name varchar(300) collate "C" constraint readpast_type_pk primary key,
  max_attempts integer not null,
  registered_at timestamptz not null default clock_timestamp(),
  alias_of varchar(300) collate "C"
);
comment on table readpast_type is 'every job type that an engine has ever registered a handler for';
comment on column readpast_type.max_attempts is '-1: unlimited';
comment on column readpast_type.alias_of is 'the job type under whose limits jobs of this name count, as stated by the engine that started last and handles that type; null: its own';

--changeset readpast:type-limits
-- A limit by job type counts jobs of several queues, versions and aliases. A claim under such a limit
-- records the type in its lease, so that nothing else has to be read to count them.
create table readpast_type_limit (
  type varchar(300) collate "C" constraint readpast_type_limit_pk primary key,
  configured_global_concurrency integer,
  since timestamptz not null default clock_timestamp(),
  global_concurrency integer,
  constraint readpast_type_limit_configured_global_concurrency check (configured_global_concurrency between 0 and 10000),
  constraint readpast_type_limit_global_concurrency check (global_concurrency between 0 and 10000)
);
comment on table readpast_type_limit is 'limits of RUNNING jobs by job type over all nodes and queues; a claim locks the row while it counts them';
comment on column readpast_type_limit.configured_global_concurrency is 'as stated by the engine that started last and is configured with one; null: none is. 10000: no limit';
comment on column readpast_type_limit.since is 'since when the type has been limited; leases from before do not say that they count';
comment on column readpast_type_limit.global_concurrency is 'as operators set it; null: configured_global_concurrency applies. 10000: no limit';

--changeset readpast:operations
create table readpast_idempotency (
  key varchar(255) collate "C" not null,
  principal varchar(255) not null,
  fingerprint varchar(64) not null,
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  access text,
  constraint readpast_idempotency_pk primary key (principal, key)
);
comment on table readpast_idempotency is 'answers to requests with an Idempotency-Key';
comment on column readpast_idempotency.access is 'the roles by queue of the caller that got the answer; null: every queue';
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
comment on table readpast_minute is 'what a node did in a queue in a minute; only minutes in which it did something';

create table readpast_depth (
  minute timestamptz not null,
  queue varchar(64) collate "C" not null,
  depth bigint not null,
  constraint readpast_depth_pk primary key (minute, queue)
);
comment on table readpast_depth is 'how many jobs were AVAILABLE or RUNNING at a minute, if there were any; counted up to a limit';

--changeset readpast:seconds
-- Unlogged: rows live for minutes and are written only while the console is open.
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
comment on table readpast_second is 'what a node did in a second with jobs of a queue and a type; queue and type are empty for what it did not count separately';

create table readpast_watch (
  one boolean not null default true,
  until timestamptz not null,
  constraint readpast_watch_pk primary key (one),
  constraint readpast_watch_one check (one)
);
comment on table readpast_watch is 'at most one row: until when nodes store what they do in each second, because a user watches the console';

--changeset readpast:audit
-- Written once for each action, and read as often by filters: each filter has an index in its order.
create table readpast_audit (
  id bigint generated always as identity constraint readpast_audit_pk primary key,
  at timestamptz not null default clock_timestamp(),
  who varchar(255) not null,
  action varchar(64) collate "C" not null,
  target varchar(512),
  detail json not null,
  queues text[]
);
comment on table readpast_audit is 'what users and applications have done to jobs, job types, queues, batches, schedules and rules; written in the same transaction';
comment on column readpast_audit.target is 'id of a job, or name of a job type, queue, batch, schedule, rule or node; queue/group for a group; null: several';
comment on column readpast_audit.queues is 'queues that the entry concerns: only callers that may see all of them see the entry; empty: none; null: unknown, so only for callers that may see every queue';
create index readpast_audit_action on readpast_audit (action, at, id);
create index readpast_audit_at on readpast_audit (at, id);
create index readpast_audit_target on readpast_audit (target, at, id);
create index readpast_audit_who on readpast_audit (who, at, id);

--changeset readpast:encryption
create table readpast_encryption_key (
  id varchar(64) collate "C" constraint readpast_encryption_key_pk primary key,
  sample text not null,
  first_used_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
comment on table readpast_encryption_key is 'keys that have encrypted something';
comment on column readpast_encryption_key.sample is 'the id of the key, encrypted with it: a node that has another key with this id does not start';
comment on column readpast_encryption_key.retired_at is 'when a rotation found nothing that is encrypted with the key; null: something may be';
