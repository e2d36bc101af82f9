--liquibase formatted sql

--changeset readpast:idempotency-access
alter table readpast_idempotency add column access text;
comment on column readpast_idempotency.access is 'the roles by queue of the caller that was answered; null: an older version answered';
