--liquibase formatted sql

--changeset readpast:configured-limit
-- A limit over all nodes that one engine's configuration states holds on every engine.
alter table readpast_queue
  add column configured_global_concurrency integer
    constraint readpast_queue_configured_global_concurrency check (configured_global_concurrency between 0 and 10000);
comment on column readpast_queue.configured_global_concurrency is 'as the last engine to start states that is configured with one; null: none was';
comment on column readpast_queue.global_concurrency is 'jobs in work over all nodes, as operators set it; null: configured_global_concurrency';
