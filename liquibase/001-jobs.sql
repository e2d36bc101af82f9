--liquibase formatted sql

--changeset readpast:no-earlier-tables splitStatements:false
do $$
begin
  if to_regclass('readpast_job') is not null then
    raise exception 'the tables here are of a version before 1.0.0, which cannot be upgraded: '
      'drop them, or name another schema in readpast.schema.name';
  end if;
end $$;

--changeset readpast:jobs
-- Every statement that writes to a table reads and prepares the check constraints of that table; with
-- ten check constraints, this took two thirds of the time of an insert. PostgreSQL caches the prepared
-- check of a domain. Constraints that compare columns are described in comments, and the tests add them
-- to the tables.
create domain readpast_live_state varchar(10) collate "C"
  constraint readpast_live_state_known check (value in ('SCHEDULED', 'BLOCKED', 'AVAILABLE', 'RUNNING'));
create domain readpast_ended_state varchar(10) collate "C"
  constraint readpast_ended_state_known check (value in ('COMPLETED', 'DISCARDED', 'CANCELLED', 'EXPIRED'));
create domain readpast_wait varchar(11) collate "C"
  constraint readpast_wait_known check (value in ('PREDECESSOR', 'WAVE', 'GROUP'));
create domain readpast_priority smallint constraint readpast_priority_range check (value between 0 and 9);
create domain readpast_max_attempts integer constraint readpast_max_attempts_range check (value = -1 or value > 0);

-- A claim changes no column that occurs in an index or in the condition of an index, so a claim writes
-- no index; the jobs of a node are found through its leases. The columns that claims change are
-- adjacent, because the WAL record of an update contains everything from the first to the last changed
-- column. The columns uncounted and crashes are rarely set, and a null takes no space.
--
-- Vacuum scans all indexes, even if it removes few rows: with a vacuum after every 10,000 rows, one
-- processor was busy for up to half a minute while millions of jobs were processed. Each job leaves two
-- dead rows, one of its claim and one of its end, so vacuum runs when as many jobs have ended as are
-- left.
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
comment on table readpast_job is 'live jobs; the statement that ends a job moves it to readpast_job_history';
comment on column readpast_job.position is 'the position of the job in its lane (queue, type, priority). A RUNNING job keeps its position, and so does a job that is released without a pause. Null means that the job waits, or that it was claimed directly from its wave or as the next of its group';
comment on column readpast_job.claim_no is 'the fencing token of the job; each claim, retry, release and reset increases it';
comment on column readpast_job.attempt is 'the number of times that the handler was started; a leased job that waits for its handler has the number of its next start';
comment on column readpast_job.max_attempts is 'the maximum number of attempts; null: the value in readpast_type applies; -1: unlimited';
comment on column readpast_job.state is 'the state of the job. The column owner is set only in the state RUNNING. The column position is null in the states SCHEDULED and BLOCKED. The column waits_for is set in the state BLOCKED and for a RUNNING job that was claimed directly from its wave or as the next of its group';
comment on column readpast_job.type is 'the name of the job type, followed by @ and the version unless the version is 1';
comment on column readpast_job.group_holds is 'true if the group of the job stops when the job is discarded';
comment on column readpast_job.waits_for is 'what the job waits for: first its predecessors, then its wave, then its group. A RUNNING job that was claimed directly from its wave or as the next of its group keeps the value, so that the claim writes no index';
comment on column readpast_job.unseen is 'true until the dependency resolver has processed the enqueue of the job';
comment on column readpast_job.content_type is 'the content type of a payload that is not JSON; such a payload is stored as a JSON string that contains the text, or the bytes in Base64';
comment on column readpast_job.enqueued_by is 'the name of the signed-in caller that enqueued the job; a job enqueued by a handler has the caller of the handler''s job; null: no caller was signed in';
comment on column readpast_job.enqueuer_roles is 'the roles of the caller at the enqueue, one per line, limited to roles that handlers require; null: none';
comment on column readpast_job.uncounted is 'the number of starts that do not count against max_attempts, because the node died or stopped or the connection broke; null: none';
comment on column readpast_job.crashes is 'the number of crashes of nodes that ran the handler, since an attempt last ended normally; 0: the job was leased by a node that crashed, and it is not known whether the handler had started; null: none';

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
comment on column readpast_job_history.payload is 'the payload; null: payloads of successful jobs of this type are not kept';
comment on column readpast_job_history.result is 'the result that the handler returned';
comment on column readpast_job_history.kept_until is 'the time at which the job is deleted, as set by the application that ended it';

-- A plan made while a table is small scans the whole table, and it remains in use when the table has
-- grown to millions of rows. The following statements therefore give the tables of jobs some pages,
-- which vacuum never removes (vacuum_truncate). A separate change set creates the indexes, so that they
-- do not contain these rows.
insert into readpast_job (id, state, available_at, queue, type, payload)
select -i, 'SCHEDULED', 'infinity', 'readpast', 'readpast', '{}' from generate_series(1, 10000) i;
delete from readpast_job where id < 0;
insert into readpast_job_history (id, enqueued_at, available_at, claim_no, attempt, uncounted, crashes, priority,
  state, queue, type, payload)
select -i, clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, 'COMPLETED', 'readpast', 'readpast', '{}'
from generate_series(1, 10000) i;
delete from readpast_job_history where id < 0;

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
comment on table readpast_failure is 'failed attempts';
create index readpast_failure_job on readpast_failure (job_id, id);

-- By default PostgreSQL first compresses values above 2 KB, which took a tenth of the database time
-- with large claims. Uncompressed external storage also keeps the frequently read rows short.
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
comment on table readpast_lease is 'leases: each contains jobs that a node leased in one claim. Every RUNNING job is in a lease of its owner. A lease may contain jobs that have ended, until the owner removes the lease';
comment on column readpast_lease.jobs is 'the ids of the leased jobs in the order in which the node runs them';
comment on column readpast_lease.of_groups is 'true if each job was leased as the next of its group by the statement that ended the previous job of the group';
comment on column readpast_lease.queue is 'the queue of all jobs of the lease';
comment on column readpast_lease.begun is 'the ids of the jobs whose handlers had started at the last heartbeat; some of these jobs may have ended since';
comment on column readpast_lease.limited_type is 'the job type whose limit across all nodes counts the jobs of the lease; null: none';

alter table readpast_lease alter column jobs set storage external;

create table readpast_release (
  id bigint generated always as identity constraint readpast_release_pk primary key,
  queue varchar(64) collate "C" not null,
  type varchar(300) collate "C" not null,
  priority smallint not null,
  position bigint not null,
  released_at timestamptz not null default clock_timestamp()
);
comment on table readpast_release is 'jobs that became AVAILABLE again at their former positions. Each node moves its claim cursors back to these positions. A row is kept for a minute';

-- Each claim checks whether jobs were released in its lane within the last second.
create index readpast_release_lane on readpast_release (queue, type, priority, released_at);
create index readpast_release_time on readpast_release (released_at);

create table readpast_cancellation (
  job_id bigint not null,
  requested_at timestamptz not null default clock_timestamp(),
  id bigint generated always as identity constraint readpast_cancellation_pk primary key
);
comment on table readpast_cancellation is 'requests to cancel RUNNING jobs; a separate table, because the row of the job may be locked';
create index readpast_cancellation_job on readpast_cancellation (job_id);

create table readpast_log (
  id bigint generated always as identity constraint readpast_log_pk primary key,
  job_id bigint not null,
  attempt integer not null,
  logged_at timestamptz not null default clock_timestamp(),
  line text not null
);
comment on table readpast_log is 'lines that handlers have logged for their jobs';
create index readpast_log_job on readpast_log (job_id, id);

create table readpast_progress (
  job_id bigint constraint readpast_progress_pk primary key,
  done bigint not null,
  total bigint not null,
  updated_at timestamptz not null default clock_timestamp()
);
comment on table readpast_progress is 'the progress that handlers have reported';
