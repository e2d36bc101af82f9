insert into readpast_dependency_event (event, batch, wave)
select 'RECHECK', b.* from unnest(cast(?1 as bigint[]), cast(?2 as int[])) b
