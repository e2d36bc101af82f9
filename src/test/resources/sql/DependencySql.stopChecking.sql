update readpast_predecessor set decided = true where job_id = any(cast(?1 as bigint[])) and not decided
