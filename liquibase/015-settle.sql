--liquibase formatted sql

--changeset readpast:settle-together
alter table readpast_settle add column jobs bigint[];
comment on column readpast_settle.jobs is 'which jobs have ended, where several did in one statement that differ in nothing else told here; null: job_id, if any';
