select case when is_called then last_value else 0 end from readpast_position
