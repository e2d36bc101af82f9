--liquibase formatted sql

--changeset readpast:console
create index readpast_job_history_bad on readpast_job_history (state, id) where state <> 'COMPLETED';

alter table readpast_listener
  add column enqueued bigint not null default 0,
  add column waits bigint[] not null default '{}',
  add column runs bigint[] not null default '{}';
comment on column readpast_listener.waits is 'how many jobs waited for how long from when they were due to when they were claimed; two classes for each doubling, the first up to 128 microseconds';
comment on column readpast_listener.runs is 'the same of how long their handlers ran';

create table readpast_minute (
  minute timestamptz not null,
  queue varchar(64) collate "C" not null,
  node integer not null,
  enqueued bigint not null,
  completed bigint not null,
  failed bigint not null,
  dead bigint not null,
  waits bigint[] not null,
  runs bigint[] not null,
  constraint readpast_minute_pk primary key (minute, queue, node)
) with (fillfactor = 50);
comment on table readpast_minute is 'what a node did in a queue in a minute, where it did something';

create table readpast_depth (
  minute timestamptz not null,
  queue varchar(64) collate "C" not null,
  depth bigint not null,
  constraint readpast_depth_pk primary key (minute, queue)
);
comment on table readpast_depth is 'how many jobs were AVAILABLE or RUNNING at a minute, where there were any; counted up to a limit';
