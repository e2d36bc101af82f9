update readpast_node set backends = array_append(backends, cast(?2 as int)) where no = ?1 returning no
