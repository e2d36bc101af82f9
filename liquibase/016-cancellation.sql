--liquibase formatted sql

--changeset readpast:cancellations-side-by-side
-- Who wishes what another wishes in a transaction that is still open must not wait for that: with
-- the settlement all others would.
alter table readpast_cancellation
  drop constraint readpast_cancellation_pk,
  alter column job_id set not null,
  add column id bigint generated always as identity constraint readpast_cancellation_pk primary key;
create index readpast_cancellation_job on readpast_cancellation (job_id);
