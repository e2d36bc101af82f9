insert into readpast_release (queue, type, priority, position)
select * from unnest(cast(?1 as text[]), cast(?2 as text[]), cast(?3 as smallint[]), cast(?4 as bigint[]))
