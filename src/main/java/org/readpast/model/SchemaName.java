package org.readpast.model;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Represents the database schema that contains Readpast's tables and sequences.
 *
 * <p>Statements contain the names of tables without a schema. When a statement is prepared, the
 * configured schema is inserted before each name of a table or sequence. The search path of a
 * connection stays unchanged, because the application uses the same connections.
 *
 * @param name the configured name, or null if none is configured; the search path of each
 *     connection must then contain the schema
 */
public record SchemaName(@Nullable String name) {
  /** States the rule for names, as shown in a message to administrators. */
  public static final String RULE =
      "specify the name of a schema: up to 63 lower-case letters, digits and _, not beginning with"
          + " a digit; information_schema and names that begin with pg_ are reserved for"
          + " PostgreSQL";

  /** Names the property of an entity manager factory that contains the schema's name. */
  public static final String PROPERTY = "readpast.schema.name";

  public static final SchemaName NONE = new SchemaName(null);

  private static final Pattern NAME =
      Pattern.compile("(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}");

  // The pattern also matches names in literals, such as nextval('readpast_position'). A name after
  // a dot is skipped, because it already has a schema.
  private static final Pattern UNQUALIFIED = Pattern.compile("(?<![\\w.])readpast_(?=\\w)");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the name breaks the {@link #RULE}
   */
  public SchemaName {
    if (name != null && !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is not the name of a schema; " + RULE);
    }
  }

  /** Inserts the schema before each name of Readpast's tables and sequences in a statement. */
  public String qualify(String statement) {
    return name == null
        ? statement
        : UNQUALIFIED.matcher(statement).replaceAll(quoted() + ".readpast_");
  }

  /**
   * Returns the name as an identifier for a statement, in quotes because some names are keywords of
   * SQL.
   */
  public String quoted() {
    if (name == null) {
      throw new IllegalStateException("no schema is configured");
    }
    return '"' + name + '"';
  }
}
