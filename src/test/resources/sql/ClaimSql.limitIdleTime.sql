select set_config('idle_in_transaction_session_timeout', '20000', true)
