select distinct batch from readpast_wave where batch = any(cast(?1 as bigint[])) and discarded > 0 order by 1
