--liquibase formatted sql

--changeset readpast:indexes
create index readpast_job_batch on readpast_job (batch, id) where batch is not null;
create index readpast_job_claim on readpast_job (queue, type, priority, position) where position is not null;
create index readpast_job_correlation on readpast_job (correlation_id, id) where correlation_id is not null;
create index readpast_job_due on readpast_job (available_at, id) where position is null and waits_for is null;
create index readpast_job_expiry on readpast_job (expires_at) where expires_at is not null;
create index readpast_job_group_active on readpast_job (queue, group_key) where group_key is not null and waits_for is null;
create index readpast_job_group_waiting on readpast_job (queue, group_key, id) where waits_for = 'GROUP';
create unique index readpast_job_unique on readpast_job (unique_key) where unique_key is not null;
create index readpast_job_unseen on readpast_job (id) where unseen;
create index readpast_job_wave_waiting on readpast_job (batch, wave, id) where waits_for = 'WAVE';

create index readpast_job_history_bad on readpast_job_history (state, id) where state <> 'COMPLETED';
create index readpast_job_history_batch on readpast_job_history (batch, id) where batch is not null;
create index readpast_job_history_correlation on readpast_job_history (correlation_id, id) where correlation_id is not null;
create index readpast_job_history_kept on readpast_job_history (kept_until);
create index readpast_job_history_queue on readpast_job_history (queue, state);
analyze readpast_job, readpast_job_history;

-- The resolver finds the rows that it can decide (see the column decided) without reading the others.
-- It reads the followers of one predecessor in the order of their ids, so that it can release large
-- numbers of them in short transactions.
create index readpast_predecessor_new on readpast_predecessor (predecessor_id, job_id) where first_check is null;
create index readpast_predecessor_of on readpast_predecessor (predecessor_id, ended_as, job_id);
create index readpast_predecessor_undecided on readpast_predecessor (first_check, predecessor_id, job_id) where not decided;
analyze readpast_predecessor;
