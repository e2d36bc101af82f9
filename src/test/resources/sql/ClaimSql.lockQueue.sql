select 1 from readpast_queue where name = ?1 for no key update skip locked
