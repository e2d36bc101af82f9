--liquibase formatted sql

--changeset readpast:lease-as-it-is
-- What is longer than two kilobytes is compressed first of all: for a large claim that took a tenth
-- of all that the database did. Stored elsewhere as it is, it also leaves the rows short that are
-- read again and again.
alter table readpast_lease alter column jobs set storage external;
