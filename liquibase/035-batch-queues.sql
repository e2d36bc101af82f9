--liquibase formatted sql

--changeset readpast:batch-queues
create table readpast_batch_queue (
  batch bigint not null,
  queue varchar(64) collate "C" not null,
  primary key (batch, queue)
);
comment on table readpast_batch_queue is 'the queues of the jobs that a batch has or had: who does not see all of them does not see the batch';
insert into readpast_batch_queue (batch, queue)
select batch, queue from readpast_job where batch is not null
union
select batch, queue from readpast_job_history where batch is not null;
