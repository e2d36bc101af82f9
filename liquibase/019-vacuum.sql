--liquibase formatted sql

--changeset readpast:vacuum-when-most-is-dead
-- A pass goes through all indexes, however little there is to be removed. After each ten thousand
-- rows it took a processor for up to half a minute, again and again, while millions of jobs were
-- drained or waited for their time. Each job leaves two dead rows, of its claim and of its end: so
-- a pass comes when as many jobs have gone as are left.
alter table readpast_job set (autovacuum_vacuum_scale_factor = 2);
