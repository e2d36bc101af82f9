update readpast_predecessor set settled = true where job_id = any(cast(?1 as bigint[])) and not settled
