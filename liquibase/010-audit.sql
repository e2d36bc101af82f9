--liquibase formatted sql

--changeset readpast:audit
create table readpast_audit (
  id bigint generated always as identity constraint readpast_audit_pk primary key,
  at timestamptz not null default clock_timestamp(),
  who varchar(255) not null,
  action varchar(64) collate "C" not null,
  target varchar(512),
  detail json not null
);
comment on table readpast_audit is 'what people and applications have done to jobs, queues, batches, schedules and rules; written in the transaction that does it';
comment on column readpast_audit.target is 'number of a job, or name of a queue, batch, schedule, rule or node; queue/group for a group; null: of many';
create index readpast_audit_at on readpast_audit (at, id);
create index readpast_audit_target on readpast_audit (target, at, id);
