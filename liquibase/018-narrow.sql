--liquibase formatted sql

--changeset readpast:counts-of-few-jobs
-- Most jobs have neither of the two: null takes no room. Behind all else they are no part of what
-- a claim writes to the log, which is whatever lies between the first and the last of its changes.
alter table readpast_job add column uncounted_new integer, add column crashes_new integer;
update readpast_job set uncounted_new = nullif(uncounted, 0), crashes_new = nullif(crashes, 0)
where uncounted <> 0 or crashes <> 0;
alter table readpast_job drop column uncounted, drop column crashes;
alter table readpast_job rename column uncounted_new to uncounted;
alter table readpast_job rename column crashes_new to crashes;
comment on column readpast_job.uncounted is 'attempts that do not count against max_attempts; null: none';
comment on column readpast_job.crashes is 'how often its owner was lost while it was in work; above 0 it runs alone on its node; null: never';
