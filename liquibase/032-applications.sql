--liquibase formatted sql

--changeset readpast:correlation
--validCheckSum: 9:bab306b49cb39790da87705442887890
-- Jobs without a correlation id, usually most, cost nothing. Either index may exist: one that was
-- built concurrently before the upgrade blocks nothing (docs/upgrading.md).
create index if not exists readpast_job_correlation on readpast_job (correlation_id, id) where correlation_id is not null;
create index if not exists readpast_job_history_correlation on readpast_job_history (correlation_id, id) where correlation_id is not null;

--changeset readpast:schedule-defined-by
alter table readpast_schedule add column defined_by varchar(200);
comment on column readpast_schedule.defined_by is 'the application that defined it while it ran; null: code, configuration, a rule or an operator did';
