--liquibase formatted sql

--changeset readpast:identity
alter table readpast_job
  add column enqueued_by varchar(255),
  add column enqueuer_roles text;
alter table readpast_job_history
  add column enqueued_by varchar(255),
  add column enqueuer_roles text;
alter table readpast_callback
  add column enqueued_by varchar(255),
  add column enqueuer_roles text;
comment on column readpast_job.enqueued_by is 'name of the signed-in caller who enqueued it, or the job that did; null: nobody was signed in';
comment on column readpast_job.enqueuer_roles is 'those of the roles that handlers demand which the caller had then, one a line; null: none';
