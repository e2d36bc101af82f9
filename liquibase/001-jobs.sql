--liquibase formatted sql

--changeset readpast:no-earlier-tables splitStatements:false
do $$
begin
  if to_regclass('readpast_job') is not null then
    raise exception 'the tables here are of a version before 1.0.0, which cannot be upgraded: '
      'drop them, or name another schema in readpast.schema.name';
  end if;
end $$;

--changeset readpast:domains
-- Every statement that writes to a table reads and prepares the check constraints of the table: ten of
-- them took two thirds of the time of an insert. The check of a domain is kept ready. Rules between
-- columns stand in comments; the tests add them as constraints.
create domain readpast_live_state varchar(10) collate "C"
  constraint readpast_live_state_known check (value in ('SCHEDULED', 'BLOCKED', 'AVAILABLE', 'RUNNING'));
create domain readpast_ended_state varchar(10) collate "C"
  constraint readpast_ended_state_known check (value in ('COMPLETED', 'DISCARDED', 'CANCELLED', 'EXPIRED'));
create domain readpast_wait varchar(11) collate "C"
  constraint readpast_wait_known check (value in ('PREDECESSOR', 'WAVE', 'GROUP'));
create domain readpast_priority smallint constraint readpast_priority_range check (value between 0 and 9);
create domain readpast_max_attempts integer constraint readpast_max_attempts_range check (value = -1 or value > 0);

--changeset readpast:jobs
-- No column that a claim changes is in an index or in the condition of one, so a claim writes no index;
-- leases find the jobs of a node. The columns that claims change stand close together, because an
-- update logs everything from the first to the last changed column. uncounted and crashes are rarely
-- set, and null takes no space.
--
-- Vacuum passes over all indexes, however little it removes: after every 10,000 rows it kept a processor
-- busy for up to half a minute while millions of jobs were drained. Each job leaves two dead rows, one
-- of its claim and one of its end, so a pass runs when as many jobs have gone as are left.
create sequence readpast_job_id;
create sequence readpast_position;
create table readpast_job (
  id bigint default nextval('readpast_job_id') constraint readpast_job_pk primary key,
  position bigint,
  enqueued_at timestamptz not null default clock_timestamp(),
  available_at timestamptz not null,
  expires_at timestamptz,
  claimed_at timestamptz,
  deadline timestamptz,
  claim_no integer not null default 0,
  attempt integer not null default 0,
  max_attempts readpast_max_attempts,
  owner integer,
  priority readpast_priority not null default 4,
  state readpast_live_state not null,
  queue varchar(64) collate "C" not null,
  type varchar(300) collate "C" not null,
  unique_key varchar(255) collate "C",
  correlation_id varchar(255),
  properties json,
  payload json not null,
  batch bigint,
  wave integer,
  group_key varchar(255) collate "C",
  group_holds boolean not null default false,
  waits_for readpast_wait,
  unseen boolean not null default false,
  content_type varchar(255),
  enqueued_by varchar(255),
  enqueuer_roles text,
  uncounted integer,
  crashes integer
) with (
  fillfactor = 45, vacuum_truncate = false,
  autovacuum_vacuum_scale_factor = 2, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000
);
comment on table readpast_job is 'live jobs only; the statement that ends a job moves it to readpast_job_history';
comment on column readpast_job.position is 'place in the lane (queue, type, priority). A RUNNING job keeps it, and so does a job that is released without a pause. Null: the job waits, or it was claimed directly from its wave or as the next of its group';
comment on column readpast_job.claim_no is 'the fencing token: increases with each claim, give-back, retry, release and reset, and never decreases';
comment on column readpast_job.attempt is 'number of times the handler was started; of a leased job the start that its lease is for';
comment on column readpast_job.max_attempts is 'null: as readpast_type says; -1: unlimited';
comment on column readpast_job.state is 'RUNNING: owner is set, otherwise it is null. SCHEDULED and BLOCKED: position is null. BLOCKED: waits_for is set, also for a RUNNING job that was claimed directly from its wave or as the next of its group, and for no other';
comment on column readpast_job.type is 'the name of the job type, followed by @ and the version if that is not 1';
comment on column readpast_job.group_holds is 'if the job is discarded, it holds its group';
comment on column readpast_job.waits_for is 'what the job waits for: first its predecessors, then its wave, then its group. A RUNNING job that was claimed directly from its wave or as the next of its group keeps the value, so that the claim writes no index';
comment on column readpast_job.unseen is 'the dependency resolver has not processed the enqueue of the job yet';
comment on column readpast_job.content_type is 'of a payload that is not JSON; such a payload is stored as a JSON string, of text or of bytes in Base64';
comment on column readpast_job.enqueued_by is 'the name of the signed-in caller that enqueued the job, or the job that did; null: no caller was signed in';
comment on column readpast_job.enqueuer_roles is 'the roles that the caller had when it enqueued the job, of those that handlers require, one per line; null: none';
comment on column readpast_job.uncounted is 'starts that do not count against max_attempts: on nodes that died or stopped, and on broken connections; null: none';
comment on column readpast_job.crashes is 'deaths of nodes while they ran its handler, since an attempt last returned; 0: it was leased by a node that died, and is not known to have started; null: none';

create table readpast_job_history (
  id bigint constraint readpast_job_history_pk primary key,
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
  state readpast_ended_state not null,
  queue varchar(64) collate "C" not null,
  type varchar(300) collate "C" not null,
  unique_key varchar(255) collate "C",
  correlation_id varchar(255),
  properties json,
  payload json,
  batch bigint,
  wave integer,
  group_key varchar(255) collate "C",
  group_holds boolean not null default false,
  content_type varchar(255),
  result json,
  enqueued_by varchar(255),
  enqueuer_roles text,
  kept_until timestamptz not null default clock_timestamp() + interval '90 days'
) with (vacuum_truncate = false);
comment on table readpast_job_history is 'jobs that have ended';
comment on column readpast_job_history.payload is 'null: the payload is not kept for jobs of this type that succeed';
comment on column readpast_job_history.result is 'what the handler returned';
comment on column readpast_job_history.kept_until is 'when the job is deleted, as decided by the application that ended it';

-- A plan that is made while a table is small scans the whole table, and stays in use when the table has
-- grown to millions of rows. So these tables have some pages from the start, which vacuum never removes
-- (vacuum_truncate). The indexes follow in a change set of their own, so that they do not contain the rows.
insert into readpast_job (id, state, available_at, queue, type, payload)
select -i, 'SCHEDULED', 'infinity', 'readpast', 'readpast', '{}' from generate_series(1, 10000) i;
delete from readpast_job where id < 0;
insert into readpast_job_history (id, enqueued_at, available_at, claim_no, attempt, uncounted, crashes, priority,
  state, queue, type, payload)
select -i, clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, 'COMPLETED', 'readpast', 'readpast', '{}'
from generate_series(1, 10000) i;
delete from readpast_job_history where id < 0;

--changeset readpast:job-indexes
create index readpast_job_batch on readpast_job (batch, id) where batch is not null;
create index readpast_job_claim on readpast_job (queue, type, priority, position) where position is not null;
create index readpast_job_correlation on readpast_job (correlation_id, id) where correlation_id is not null;
create index readpast_job_due on readpast_job (available_at, id) where position is null and waits_for is null;
create index readpast_job_expiry on readpast_job (expires_at) where expires_at is not null;
create index readpast_job_group_active on readpast_job (queue, group_key) where group_key is not null and waits_for is null;
create index readpast_job_group_waiting on readpast_job (queue, group_key, id) where waits_for = 'GROUP';
create unique index readpast_job_unique on readpast_job (unique_key) where unique_key is not null;
create index readpast_job_unseen on readpast_job (id) where unseen;
create index readpast_job_wave_waiting on readpast_job (batch, wave, id) where waits_for = 'WAVE';

create index readpast_job_history_bad on readpast_job_history (state, id) where state <> 'COMPLETED';
create index readpast_job_history_batch on readpast_job_history (batch, id) where batch is not null;
create index readpast_job_history_correlation on readpast_job_history (correlation_id, id) where correlation_id is not null;
create index readpast_job_history_kept on readpast_job_history (kept_until);
create index readpast_job_history_queue on readpast_job_history (queue, state);
analyze readpast_job, readpast_job_history;

--changeset readpast:failures
create table readpast_failure (
  id bigint generated always as identity constraint readpast_failure_pk primary key,
  job_id bigint not null,
  attempt integer not null,
  node integer,
  started_at timestamptz,
  ended_at timestamptz not null default clock_timestamp(),
  kind varchar(12) collate "C" not null,
  exception varchar(300),
  message text,
  trace text,
  constraint readpast_failure_kind check (kind in ('FAILED', 'RETRY_LATER', 'TIMED_OUT', 'OWNER_LOST', 'UNREADABLE'))
);
comment on table readpast_failure is 'attempts that failed';
create index readpast_failure_job on readpast_failure (job_id);

--changeset readpast:leases
-- By default PostgreSQL first compresses values above 2 KB, which took a tenth of all database time
-- with large claims. Stored externally as they are, they also keep the rows short that are read often.
create table readpast_lease (
  id bigint generated always as identity constraint readpast_lease_pk primary key,
  node integer not null,
  jobs bigint[] not null,
  claimed_at timestamptz not null default clock_timestamp(),
  deadline timestamptz not null,
  of_groups boolean not null default false,
  queue varchar(64) collate "C",
  begun bigint[] not null default '{}',
  limited_type varchar(300) collate "C"
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);
comment on table readpast_lease is 'jobs that a node has leased in one claim. Every RUNNING job is in a lease of its owner; a lease may contain jobs that have ended, until the owner removes it';
comment on column readpast_lease.jobs is 'in the order in which the node runs them';
comment on column readpast_lease.of_groups is 'each of the jobs was leased as the next of its group by the statement that ended the job before it';
comment on column readpast_lease.queue is 'the queue that all its jobs are in';
comment on column readpast_lease.begun is 'jobs whose handlers had started at the last heartbeat; may contain jobs that have ended since';
comment on column readpast_lease.limited_type is 'the name of the job type whose limit over all nodes it counts under; null: none';

alter table readpast_lease alter column jobs set storage external;

--changeset readpast:releases
create table readpast_release (
  id bigint generated always as identity constraint readpast_release_pk primary key,
  queue varchar(64) collate "C" not null,
  type varchar(300) collate "C" not null,
  priority smallint not null,
  position bigint not null,
  released_at timestamptz not null default clock_timestamp()
);
comment on table readpast_release is 'jobs that became AVAILABLE again at their former positions; each node moves its claim cursors back to there. Kept for a minute';

--changeset readpast:release-indexes
-- Each claim checks whether jobs were released in its lane within the last second.
create index readpast_release_lane on readpast_release (queue, type, priority, released_at);
create index readpast_release_time on readpast_release (released_at);

--changeset readpast:output
create table readpast_cancellation (
  job_id bigint not null,
  requested_at timestamptz not null default clock_timestamp(),
  id bigint generated always as identity constraint readpast_cancellation_pk primary key
);
comment on table readpast_cancellation is 'requests to cancel a RUNNING job, in a table of their own because the row of the job may be locked';
create index readpast_cancellation_job on readpast_cancellation (job_id);

create table readpast_log (
  id bigint generated always as identity constraint readpast_log_pk primary key,
  job_id bigint not null,
  attempt integer not null,
  logged_at timestamptz not null default clock_timestamp(),
  line text not null
);
comment on table readpast_log is 'what handlers have logged for their jobs';
create index readpast_log_job on readpast_log (job_id, id);

create table readpast_progress (
  job_id bigint constraint readpast_progress_pk primary key,
  done bigint not null,
  total bigint not null,
  updated_at timestamptz not null default clock_timestamp()
);
comment on table readpast_progress is 'how far handlers have come, as they report it';
