package org.readpast.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.readpast.api.ReadpastException;
import org.readpast.model.SchemaName;

/** Checks that a configured schema is usable, and creates it if necessary. */
final class NamedSchema {
  private static final Logger LOG = System.getLogger(NamedSchema.class.getName());

  // PostgreSQL skips a schema in the search path if the role has no privilege to use it. Creating a
  // table in such a schema would fail with a different message, or create the table in another
  // schema.
  private static final String STATE =
      """
      select current_user, current_database(), to_regnamespace(s.name) is not null,
        coalesce(has_schema_privilege(to_regnamespace(s.name), 'usage'), false),
        has_database_privilege(current_database(), 'create'),
        quote_ident(cast(? as text)) = s.name
      from (values (cast(? as text))) s(name)""";

  private static final String SEND = "have an administrator execute: ";

  private NamedSchema() {}

  /**
   * Checks that the schema exists and is usable.
   *
   * @param creates true to create the schema if it is missing
   * @throws ReadpastException if the schema is missing and not created, or if the role is not
   *     allowed to use it
   */
  static void require(Connection connection, SchemaName schema, boolean creates)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(STATE)) {
      statement.setString(1, schema.name());
      statement.setString(2, schema.quoted());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        // Liquibase does not quote the name everywhere.
        if (row.getBoolean(6)) {
          throw refused(schema, "has a name that SQL reserves", "choose another name");
        }
        String role = row.getString(1);
        if (row.getBoolean(3)) {
          if (!row.getBoolean(4)) {
            throw refused(
                schema,
                "cannot be used by the database role '" + role + "'",
                SEND + "grant usage, create on schema " + schema.quoted() + " to \"" + role + '"');
          }
          return;
        }
        String way = SEND + "create schema " + schema.quoted() + " authorization \"" + role + '"';
        if (!creates) {
          throw refused(schema, "does not exist, and readpast.schema.auto=validate", way);
        }
        if (!row.getBoolean(5)) {
          throw refused(
              schema,
              "does not exist, and the role '"
                  + role
                  + "' may not create it in the database '"
                  + row.getString(2)
                  + "'",
              way);
        }
      }
    }
    create(connection, schema);
  }

  private static void create(Connection connection, SchemaName schema) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create schema if not exists " + schema.quoted());
    }
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
    LOG.log(
        Level.INFO,
        "READPAST-0060 the schema ''{0}'' (readpast.schema.name) did not exist and was created",
        schema.name());
  }

  private static ReadpastException refused(SchemaName schema, String why, String wayOut) {
    return new ReadpastException(
        "the schema '" + schema.name() + "' (readpast.schema.name) " + why + "; " + wayOut);
  }
}
