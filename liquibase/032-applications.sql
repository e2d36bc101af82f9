--liquibase formatted sql

--changeset readpast:correlation
-- Jobs without a correlation id, usually most, cost nothing.
create index readpast_job_correlation on readpast_job (correlation_id, id) where correlation_id is not null;
create index readpast_job_history_correlation on readpast_job_history (correlation_id, id) where correlation_id is not null;

--changeset readpast:schedule-defined-by
alter table readpast_schedule add column defined_by varchar(200);
comment on column readpast_schedule.defined_by is 'the application that defined it while it ran; null: code, configuration, a rule or an operator did';
