--liquibase formatted sql

--changeset readpast:owner
alter table readpast_node
  add column owner varchar(101) collate "C",
  add column application varchar(255),
  add column module varchar(255);
comment on column readpast_node.owner is 'application, or application~module where the two differ: what its default names begin with';

--changeset readpast:default-names
-- A default name is longer than an explicit one: <owner>~<full.class.Name>.<method>. The collation
-- is repeated because the indexes would be built anew without it.
alter table readpast_type alter column name type varchar(300) collate "C";
alter table readpast_node alter column types type varchar(300)[];
alter table readpast_callback alter column type type varchar(300) collate "C";
alter table readpast_release alter column type type varchar(300) collate "C";
alter table readpast_rule
  alter column type type varchar(300) collate "C",
  alter column computation type varchar(300) collate "C",
  add column declared_by varchar(101) collate "C";
comment on column readpast_rule.declared_by is 'the owner whose configuration declares it; null: none';

--changeset readpast:default-names-of-jobs
alter table readpast_job alter column type type varchar(300) collate "C";

--changeset readpast:default-names-of-ended-jobs
alter table readpast_job_history alter column type type varchar(300) collate "C";

--changeset readpast:default-names-analyzed
-- A change of its type removes what is known of a column.
analyze readpast_job (type);
analyze readpast_job_history (type);

--changeset readpast:schedule-declaration
create table readpast_schedule_declaration (
  schedule varchar(300) collate "C" not null,
  node integer not null,
  owner varchar(101) collate "C" not null,
  fingerprint varchar(64) collate "C" not null,
  place varchar(300) not null,
  since timestamptz not null,
  constraint readpast_schedule_declaration_pk primary key (schedule, node)
);
comment on table readpast_schedule_declaration is 'what each node declares; of the definitions that live nodes declare, the one that was declared first most recently applies';
comment on column readpast_schedule_declaration.fingerprint is 'of the definition';
comment on column readpast_schedule_declaration.since is 'when this owner first declared this definition, as far as is remembered';
alter table readpast_schedule
  alter column name type varchar(300) collate "C",
  alter column type type varchar(300) collate "C",
  add column fingerprint varchar(64) collate "C";
alter table readpast_schedule_run alter column schedule type varchar(300) collate "C";
comment on column readpast_schedule.declared_by is 'the owner whose code or configuration declares it; null: it was made over REST';
comment on column readpast_schedule.declared_node is 'the name of the node whose definition applies';
comment on column readpast_schedule.fingerprint is 'of the declared definition; it fires only while a live node of the owner declares it';
