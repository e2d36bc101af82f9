--liquibase formatted sql

--changeset readpast:idempotency-access
alter table readpast_idempotency add column access text;
comment on column readpast_idempotency.access is 'the roles by queue of the caller that was answered; null: an older version answered';

--changeset readpast:audit-filters
-- Written once for each deed of a person or an application, so that a page of a filter is read as fast as any.
create index readpast_audit_who on readpast_audit (who, at, id);
create index readpast_audit_action on readpast_audit (action, at, id);
