--liquibase formatted sql

--changeset readpast:kept-until
alter table readpast_job_history
  add column kept_until timestamptz not null default 'infinity',
  alter column payload drop not null;
update readpast_job_history
set kept_until = ended_at + case state when 'COMPLETED' then interval '7 days' else interval '90 days' end;
alter table readpast_job_history alter column kept_until set default clock_timestamp() + interval '90 days';
create index readpast_job_history_kept on readpast_job_history (kept_until);
-- Nothing is looked for by the time of its end any more, and without it equal entries share their place.
drop index readpast_job_history_ended;
create index readpast_job_history_queue on readpast_job_history (queue, state);
comment on column readpast_job_history.kept_until is 'until then it is kept, as decided by the application that ended the job';
comment on column readpast_job_history.payload is 'null: not kept for jobs of this type that succeed';

--changeset readpast:audit-kept
alter table readpast_node add column audit_kept_ms bigint;
comment on column readpast_node.audit_kept_ms is 'how long its configuration keeps the audit; the longest time that a node states applies';
