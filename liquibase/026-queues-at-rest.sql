--liquibase formatted sql

--changeset readpast:release-indexes
-- Claims ask at each lane whether it was said within a second that jobs were released there.
create index readpast_release_lane on readpast_release (queue, type, priority, released_at);
create index readpast_release_time on readpast_release (released_at);

--changeset readpast:unused-queues
alter table readpast_queue add column used_at timestamptz not null default clock_timestamp();
comment on column readpast_queue.used_at is 'when something was last enqueued to or worked in it, to ten minutes; without jobs and settings it is removed later';
