package org.readpast.model;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The database schema that holds Readpast's tables and sequences.
 *
 * <p>Statements name them without a schema, and a configured name is put before each of them when a
 * statement is prepared. The search path of a connection stays as it is: the application uses the
 * same connections.
 *
 * @param name null: none is configured, and the search path of each connection leads to the tables
 */
public record SchemaName(@Nullable String name) {
  /** What a name may look like, for those that configure one. */
  public static final String RULE =
      "give a schema's name of lower-case letters, digits and _, not beginning with a digit, at most"
          + " 63 of them; those that begin with pg_ and information_schema are PostgreSQL's own";

  /** Under this name an entity manager factory has it as a property. */
  public static final String PROPERTY = "readpast.schema.name";

  public static final SchemaName NONE = new SchemaName(null);

  private static final Pattern NAME =
      Pattern.compile("(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}");

  // In a literal as well: nextval('readpast_position'). Behind a dot it has a schema already.
  private static final Pattern UNQUALIFIED = Pattern.compile("(?<![\\w.])readpast_(?=\\w)");

  /**
   * @throws IllegalArgumentException if it is no name by the {@link #RULE}
   */
  public SchemaName {
    if (name != null && !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is no name of a schema; " + RULE);
    }
  }

  /** Puts the schema before each name of a table or a sequence of Readpast's in a statement. */
  public String qualify(String statement) {
    return name == null
        ? statement
        : UNQUALIFIED.matcher(statement).replaceAll(quoted() + ".readpast_");
  }

  /** The name as an identifier in a statement; some names are keywords of SQL. */
  public String quoted() {
    if (name == null) {
      throw new IllegalStateException("no schema is configured");
    }
    return '"' + name + '"';
  }
}
