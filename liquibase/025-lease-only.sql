--liquibase formatted sql

--changeset readpast:lease-only
-- A lease is the only way in which a node holds a job, in both receive modes. What bridged the two
-- ways is dropped: jobs that only heartbeats knew to be in transactional work, cautious nodes, and
-- shares in the limits over all nodes, which are plain counts of leases now.
alter table readpast_lease
  add column queue varchar(64) collate "C",
  add column begun bigint[] not null default '{}';
comment on column readpast_lease.queue is 'the queue that all its jobs are in';
comment on column readpast_lease.jobs is 'in the order in which its node works them';
comment on column readpast_lease.begun is 'those whose handlers have started, as of the last heartbeat; it may name jobs that have ended since';
alter table readpast_job drop column cautious, drop column alone;
comment on column readpast_job.attempt is 'starts of the handler; of a leased job the one that its lease is for';
comment on column readpast_job.uncounted is 'starts that do not count against max_attempts: of nodes that died or stopped, and of broken connections; null: none';
comment on column readpast_job.crashes is 'deaths of nodes that its handler was running at, since an attempt last returned; 0: it was leased at one, and is not known to have started; null: none';
comment on column readpast_job.position is 'place in the lane (queue, type, priority); kept while the job is RUNNING, and when it is released without a pause; null: it waits, or was claimed straight from its wave or as the next of its group';
alter table readpast_node drop column working, drop column cautious;
alter table readpast_node
  add column backends integer[] not null default '{}',
  add column steady_since timestamptz not null default clock_timestamp();
comment on column readpast_node.backends is 'process ids of the database sessions that work its jobs in transactions; when the node is dead, those left open are terminated';
comment on column readpast_node.steady_since is 'since when no two of its heartbeats were further apart than two thirds of its lease, by the clock of the database';
drop table readpast_permit;

--changeset readpast:release
create table readpast_release (
  id bigint generated always as identity constraint readpast_release_pk primary key,
  queue varchar(64) collate "C" not null,
  type varchar(100) collate "C" not null,
  priority smallint not null,
  position bigint not null,
  released_at timestamptz not null default clock_timestamp()
);
comment on table readpast_release is 'jobs that became AVAILABLE again at the positions they had; each node moves its claims back to there. Kept for two minutes';
