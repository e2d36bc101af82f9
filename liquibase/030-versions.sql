--liquibase formatted sql

--changeset readpast:registration
create table readpast_registration (
  node integer not null,
  type varchar(300) collate "C" not null,
  application varchar(200) collate "C" not null,
  shape text,
  since timestamptz not null default clock_timestamp(),
  unreadable_job bigint,
  constraint readpast_registration_pk primary key (node, type)
);
create index readpast_registration_type on readpast_registration (type);
create index readpast_registration_application on readpast_registration (application);
comment on table readpast_registration is 'what nodes handle; that of a node that has ended stays until no job of the type waits, or its application registers the same again';
comment on column readpast_registration.shape is 'of the payload; null: any, or read through upcasts';
comment on column readpast_registration.since is 'since when the application has registered this type with this shape';
comment on column readpast_registration.unreadable_job is 'the last job whose payload neither this node nor any other live one could read';
comment on column readpast_job.type is 'the name of the job type, followed by @ and the version if that is not 1';
