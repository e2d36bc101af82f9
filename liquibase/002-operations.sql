--liquibase formatted sql

--changeset readpast:cancellation
create table readpast_cancellation (
  job_id bigint constraint readpast_cancellation_pk primary key,
  requested_at timestamptz not null default clock_timestamp()
);
comment on table readpast_cancellation is 'wishes to cancel a job that was in work; its own table because the job''s row may be locked';

--changeset readpast:progress
create table readpast_progress (
  job_id bigint constraint readpast_progress_pk primary key,
  done bigint not null,
  total bigint not null,
  updated_at timestamptz not null default clock_timestamp()
);

--changeset readpast:log
create table readpast_log (
  id bigint generated always as identity constraint readpast_log_pk primary key,
  job_id bigint not null,
  attempt integer not null,
  logged_at timestamptz not null default clock_timestamp(),
  line varchar(4000) not null
);
create index readpast_log_job on readpast_log (job_id, id);

--changeset readpast:idempotency
create table readpast_idempotency (
  key varchar(255) collate "C" not null,
  principal varchar(255) not null,
  fingerprint varchar(64) not null,
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  constraint readpast_idempotency_pk primary key (principal, key)
);
create index readpast_idempotency_created on readpast_idempotency (created_at);
