insert into readpast_settle (event, batch, wave)
select 'LOOK', b.* from unnest(cast(?1 as bigint[]), cast(?2 as int[])) b
