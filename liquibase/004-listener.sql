--liquibase formatted sql

--changeset readpast:queue_limits
alter table readpast_queue
  add column reserved integer constraint readpast_queue_reserved check (reserved between 0 and 1000),
  add column global_concurrency integer
    constraint readpast_queue_global_concurrency check (global_concurrency between 0 and 10000);
comment on column readpast_queue.reserved is 'workers of each node that no other queue may take; null: what the configuration says';
comment on column readpast_queue.global_concurrency is 'jobs in work over all nodes; null: what the configuration says';

--changeset readpast:content_type
alter table readpast_job add column content_type varchar(255);
alter table readpast_job_history add column content_type varchar(255), add column result json;
comment on column readpast_job.content_type is 'of a payload that is no JSON: it is kept as a JSON string, of text or of bytes in Base64';
comment on column readpast_job_history.result is 'what the handler gave';

--changeset readpast:listener
create table readpast_listener (
  node integer not null,
  queue varchar(64) collate "C" not null,
  receivers integer not null,
  received bigint not null,
  completed bigint not null,
  failed bigint not null,
  dead bigint not null,
  wake_ups bigint not null,
  empty_receives bigint not null,
  errors bigint not null,
  constraint readpast_listener_pk primary key (node, queue)
) with (fillfactor = 50);
comment on table readpast_listener is 'the counters of each node and queue at its last heartbeat';

--changeset readpast:permit
create table readpast_permit (
  queue varchar(64) collate "C" not null,
  node integer not null,
  held integer not null,
  wanted integer not null,
  constraint readpast_permit_pk primary key (queue, node)
) with (fillfactor = 50);
comment on table readpast_permit is 'shares in global_concurrency; changed only under a lock on the queue''s row';
