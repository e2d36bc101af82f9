--liquibase formatted sql

--changeset readpast:cancellations-side-by-side
-- Who wishes what another wishes in a transaction that is still open must not wait for that: with
-- the settlement all others would.
alter table readpast_cancellation drop constraint readpast_cancellation_pk;
alter table readpast_cancellation alter column job_id set not null;
create index readpast_cancellation_job on readpast_cancellation (job_id);
