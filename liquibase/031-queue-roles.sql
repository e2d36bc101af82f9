--liquibase formatted sql

--changeset readpast:audit-queues
alter table readpast_audit add column queues text[];
comment on column readpast_audit.queues is 'queues that it concerns: only callers that see all of them see the entry; empty: none; null: unknown, so only for callers that see every queue';
