--liquibase formatted sql

--changeset readpast:held-batches
alter table readpast_batch add column held_at timestamptz;
comment on column readpast_batch.held_at is 'since when somebody wants no more of its jobs to go on that wait for their wave';
create index readpast_batch_held on readpast_batch (id) where held_at is not null;
alter table readpast_settle alter column event type varchar(7) collate "C";
alter table readpast_settle drop constraint readpast_settle_event;
alter table readpast_settle add constraint readpast_settle_event
  check (event in ('ENDED', 'RESET', 'SEAL', 'SKIP', 'HOLD', 'RELEASE', 'CANCEL', 'LOOK'));
