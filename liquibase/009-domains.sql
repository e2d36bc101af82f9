--liquibase formatted sql

--changeset readpast:domain
-- A check of a table is read and prepared by every statement that writes to the table: ten of them
-- were two thirds of an insert. That of a domain is ready. What holds between columns is said here,
-- and is checked wherever the tests run.
create domain readpast_live_state as varchar(10) collate "C";
create domain readpast_wait as varchar(11) collate "C";
create domain readpast_priority as smallint;
create domain readpast_max_attempts as integer;
create domain readpast_ended_state as varchar(10) collate "C";
alter table readpast_job
  drop constraint readpast_job_state,
  drop constraint readpast_job_priority,
  drop constraint readpast_job_max_attempts,
  drop constraint readpast_job_counts,
  drop constraint readpast_job_position,
  drop constraint readpast_job_owner,
  drop constraint readpast_job_wave,
  drop constraint readpast_job_waits,
  drop constraint readpast_job_waits_for,
  drop constraint readpast_job_unsettled,
  alter column state type readpast_live_state,
  alter column waits_for type readpast_wait,
  alter column priority type readpast_priority,
  alter column max_attempts type readpast_max_attempts;
alter table readpast_job_history
  drop constraint readpast_job_history_state,
  alter column state type readpast_ended_state;
-- Added afterwards: with a check, the change of type would write the table anew, and make it small.
alter domain readpast_live_state add constraint readpast_live_state_known check (value in ('SCHEDULED', 'BLOCKED', 'AVAILABLE', 'RUNNING'));
alter domain readpast_wait add constraint readpast_wait_known check (value in ('PREDECESSOR', 'WAVE', 'GROUP'));
alter domain readpast_priority add constraint readpast_priority_range check (value between 0 and 9);
alter domain readpast_max_attempts add constraint readpast_max_attempts_range check (value = -1 or value > 0);
alter domain readpast_ended_state add constraint readpast_ended_state_known check (value in ('COMPLETED', 'DISCARDED', 'CANCELLED', 'EXPIRED'));
comment on column readpast_job.state is 'RUNNING: owner is set, else not; SCHEDULED and BLOCKED: position is null, else not; BLOCKED: waits_for is set, else not';
