--liquibase formatted sql

--changeset readpast:drain
alter table readpast_node add column drain_requested boolean not null default false;
comment on column readpast_node.drain_requested is 'somebody wants it to take no more jobs; it learns that with its heartbeat';
