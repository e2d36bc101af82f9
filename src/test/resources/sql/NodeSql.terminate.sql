select pg_terminate_backend(?1, 1000)
