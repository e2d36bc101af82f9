--liquibase formatted sql

--changeset readpast:seconds
-- Unlogged: rows live for five minutes and are written only while the console is open.
create unlogged table readpast_second (
  second timestamptz not null,
  queue varchar(64) collate "C" not null,
  type varchar(100) collate "C" not null,
  node integer not null,
  enqueued bigint not null,
  completed bigint not null,
  failed bigint not null,
  waits bigint[] not null,
  runs bigint[] not null,
  constraint readpast_second_pk primary key (second, queue, type, node)
);
comment on table readpast_second is 'what a node did in a second with jobs of a queue and a type; queue and type are empty for what was not counted separately';

create table readpast_watch (
  one boolean not null default true,
  until timestamptz not null,
  constraint readpast_watch_pk primary key (one),
  constraint readpast_watch_one check (one)
);
comment on table readpast_watch is 'until when nodes store what they do in each second, because a user watches the console';
