update readpast_node set taken_over = taken_over + ?2 where no = ?1
