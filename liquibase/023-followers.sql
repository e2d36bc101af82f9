--liquibase formatted sql

--changeset readpast:followers-in-pieces
-- Followers that can be decided are read without the others, and those of one predecessor in the
-- order of their ids, so that many of them are released in short transactions.
drop index readpast_predecessor_unsettled;
create index readpast_predecessor_unsettled on readpast_predecessor (first_check, predecessor_id, job_id) where not settled;
drop index readpast_predecessor_of;
create index readpast_predecessor_of on readpast_predecessor (predecessor_id, ended_as, job_id);
comment on column readpast_settle.job_id is 'which job; LOOK: one that has ended and has followers that have not been notified';
