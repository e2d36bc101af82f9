--liquibase formatted sql

--changeset readpast:leased-as-next-of-its-group
-- What is in work and still says that it waits for its turn is found by these.
alter table readpast_lease add column of_groups boolean not null default false;
comment on column readpast_lease.of_groups is 'of jobs that were each leased as the next of its group by the end of the one before';
comment on column readpast_job.waits_for is 'first predecessors, then the wave, then the group; RUNNING it was claimed straight from its wave, or as the next of its group, and still says so, as no index is written then';
comment on column readpast_job.state is 'RUNNING: owner is set, else not; SCHEDULED and BLOCKED: position is null; BLOCKED: waits_for is set; so of a RUNNING one that was claimed straight from its wave or as the next of its group, and of no other';
comment on column readpast_job.position is 'place in the lane (queue, type, priority); grows each time the job becomes AVAILABLE, and is kept while it is RUNNING; null: it waits, or was claimed straight from its wave or as the next of its group';
