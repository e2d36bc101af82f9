--liquibase formatted sql

--changeset readpast:claimed-from-its-wave
comment on column readpast_job.waits_for is 'first predecessors, then the wave, then the group; RUNNING it was claimed straight from its wave and still says so, as no index is written then';
comment on column readpast_job.state is 'RUNNING: owner is set, else not; SCHEDULED and BLOCKED: position is null; BLOCKED: waits_for is set; so of a RUNNING one that was claimed straight from its wave, and of no other';
comment on column readpast_job.position is 'place in the lane (queue, type, priority); grows each time the job becomes AVAILABLE, and is kept while it is RUNNING; null: it waits, or was claimed straight from its wave';
