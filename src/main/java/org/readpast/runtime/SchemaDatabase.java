package org.readpast.runtime;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import liquibase.database.core.PostgresDatabase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import org.readpast.model.SchemaName;

/**
 * Represents a database whose change sets are applied to one schema. Liquibase rolls back before
 * each change set, and would then set the search path of the session. This class sets the search
 * path and the lock timeout only for the transaction of the change set. A pooled connection is
 * therefore returned unchanged, even if each transaction uses another session (pgbouncer).
 */
final class SchemaDatabase extends PostgresDatabase {
  private final SchemaName schema;
  private final Duration lockTimeout;

  SchemaDatabase(Connection connection, SchemaName schema, Duration lockTimeout) {
    this.schema = schema;
    this.lockTimeout = lockTimeout;
    setConnection(new JdbcConnection(connection));
    setDatabaseChangeLogTableName(Schema.LOG_TABLE);
    setDatabaseChangeLogLockTableName(Schema.LOCK_TABLE);
    if (schema.name() != null) {
      setDefaultSchemaName(schema.name());
      setLiquibaseSchemaName(schema.name());
    }
  }

  @Override
  public void rollback() throws DatabaseException {
    getConnection().rollback();
    Connection connection = ((JdbcConnection) getConnection()).getUnderlyingConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local lock_timeout = " + lockTimeout.toMillis());
      if (schema.name() != null) {
        statement.execute("set local search_path = " + schema.quoted());
      }
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }
}
