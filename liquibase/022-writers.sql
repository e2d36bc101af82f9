--liquibase formatted sql

--changeset readpast:open-writers
-- Which open transactions may hide the end of a predecessor is decided by their virtual ids, which
-- every role sees. When they began is shown to few roles, and clocks are set back.
create table readpast_writers (
  id smallint not null default 1 constraint readpast_writers_pk primary key,
  check_no bigint not null,
  known jsonb not null,
  constraint readpast_writers_one check (id = 1)
) with (fillfactor = 10);
comment on table readpast_writers is 'one row: the transactions that had written jobs and were open at the last check; changed only by the holder of the settle lock';
comment on column readpast_writers.check_no is 'grows with each check';
comment on column readpast_writers.known is 'by virtual transaction, the check_no before the check that first saw it open';
insert into readpast_writers (check_no, known) values (1, '{}');

alter table readpast_predecessor add column first_check bigint;
comment on column readpast_predecessor.first_check is 'check_no of readpast_writers when the settlement first saw this row; null: it has not';
drop index readpast_predecessor_new;
create index readpast_predecessor_new on readpast_predecessor (predecessor_id, job_id) where first_check is null;
