--liquibase formatted sql

--changeset readpast:unused-queues
alter table readpast_queue add column used_at timestamptz not null default clock_timestamp();
comment on column readpast_queue.used_at is 'when something was last enqueued to or worked in it, to ten minutes; without jobs and settings it is removed later';
