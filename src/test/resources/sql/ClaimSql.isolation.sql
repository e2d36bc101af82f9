select current_setting('transaction_isolation')
