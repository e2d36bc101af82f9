--liquibase formatted sql

--changeset readpast:type-limits
-- A limit by job type counts jobs of several queues, versions and aliases. A claim under such a limit
-- says so in its lease, so that nothing else has to be read to count them.
create table readpast_type_limit (
  type varchar(300) collate "C" constraint readpast_type_limit_pk primary key,
  configured_global_concurrency integer not null
    constraint readpast_type_limit_configured_global_concurrency check (configured_global_concurrency between 0 and 10000),
  since timestamptz not null default clock_timestamp()
);
comment on table readpast_type_limit is 'jobs at a time of a job type over all nodes and queues; a claim locks the row while it counts them';
comment on column readpast_type_limit.configured_global_concurrency is 'as the last engine to start states that is configured with one';
comment on column readpast_type_limit.since is 'when the type was first limited: leases from before do not say that they count';
alter table readpast_type add column alias_of varchar(300) collate "C";
comment on column readpast_type.alias_of is 'the name of the job type under whose limits its jobs count, as the last engine to start states that handles that type; null: its own';
alter table readpast_lease add column limited_type varchar(300) collate "C";
comment on column readpast_lease.limited_type is 'the name of the job type whose limit over all nodes it counts under; null: none';
