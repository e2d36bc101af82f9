--liquibase formatted sql

--changeset readpast:encryption
create table readpast_encryption_key (
  id varchar(64) collate "C" constraint readpast_encryption_key_pk primary key,
  sample text not null,
  first_used_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
comment on table readpast_encryption_key is 'keys that have encrypted something';
comment on column readpast_encryption_key.retired_at is 'when a rotation has found nothing that it encrypts; null: it may encrypt something';
comment on column readpast_encryption_key.sample is 'the id, encrypted with the key: a node whose key of this id is another one does not start';

-- Encrypted texts are longer. No row is rewritten.
alter table readpast_failure alter column message type text;
alter table readpast_log alter column line type text;
alter table readpast_sql_log alter column error type text;
alter table readpast_rule_run alter column error type text;

--changeset readpast:callback-reserved
-- What is encrypted is bound to the id of its job, and any node makes the job of a callback, also one without the key.
alter table readpast_callback add column reserved_id bigint;
comment on column readpast_callback.reserved_id is 'the id that its job will have; null: any';
