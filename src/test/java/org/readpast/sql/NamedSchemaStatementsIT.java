package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.sql.RuleSql;
import org.readpast.model.SchemaName;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/**
 * Tests that every statement finds tables in a named schema that is not in the connection's search
 * path.
 */
class NamedSchemaStatementsIT {
  private static final Path CLASSES = Path.of("target/classes");
  private static final Pattern PREPARABLE =
      Pattern.compile("\\s*(select|with|insert|update|delete)\\b(?s:.*)");
  // Without a value, PostgreSQL cannot always determine the type of a parameter. When the statement
  // fails, PostgreSQL has already resolved all names.
  private static final List<String> TYPE_UNKNOWN = List.of("42P08", "42P18");

  private final Database database = TestDatabase.withTablesIn("jobs");
  private final SchemaName schema = new SchemaName("jobs");
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection(database.url(), database.user(), database.password());
    try (Statement statement = connection.createStatement()) {
      statement.execute(RuleSql.createObjects().replace("on commit drop", ""));
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void statement_without_its_schema_finds_no_table() {
    assertThatThrownBy(() -> prepare(NodeSql.queues()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("does not exist");
  }

  @Test
  void every_statement_finds_its_tables_in_the_named_schema() throws Exception {
    Map<String, String> statements = statements();
    Map<String, String> refused = new TreeMap<>();
    for (Map.Entry<String, String> one : statements.entrySet()) {
      try {
        prepare(schema.qualify(one.getValue()));
      } catch (SQLException e) {
        if (!TYPE_UNKNOWN.contains(e.getSQLState())) {
          refused.put(one.getKey(), e.getMessage());
        }
      }
    }
    assertThat(refused).isEmpty();
    assertThat(statements)
        .hasSizeGreaterThan(200)
        .containsKeys(
            "EnqueueSql.insert", "ClaimSql.lease", "ScheduleSql.now", "OverviewSql.depths");
  }

  private void prepare(String statement) throws SQLException {
    try (Statement sent = connection.createStatement()) {
      sent.setEscapeProcessing(false);
      sent.execute("prepare checked as " + statement.replaceAll("\\?(\\d+)", "\\$$1"));
      sent.execute("deallocate checked");
    }
  }

  private static Map<String, String> statements() throws Exception {
    Map<String, String> all = new TreeMap<>();
    for (Class<?> type : types()) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers())
            && Modifier.isStatic(method.getModifiers())
            && method.getReturnType() == String.class) {
          add(all, type.getSimpleName() + "." + method.getName(), method, new Object[0]);
        }
      }
    }
    all.values().removeIf(text -> !PREPARABLE.matcher(text).matches());
    return all;
  }

  /**
   * Adds the statement for each boolean and each enum constant that the method accepts. If the
   * method has other parameters, adds no statement.
   */
  private static void add(Map<String, String> all, String name, Method method, Object[] given)
      throws Exception {
    if (given.length == method.getParameterCount()) {
      all.put(name, (String) method.invoke(null, given));
      return;
    }
    Class<?> type = method.getParameterTypes()[given.length];
    Object[] values = type == boolean.class ? new Object[] {false, true} : type.getEnumConstants();
    for (Object value : values == null ? new Object[0] : values) {
      Object[] more = Arrays.copyOf(given, given.length + 1);
      more[given.length] = value;
      add(all, name + "-" + value, method, more);
    }
  }

  private static List<Class<?>> types() throws IOException, ClassNotFoundException {
    List<String> names;
    try (Stream<Path> files = Files.walk(CLASSES)) {
      names =
          files
              .map(file -> CLASSES.relativize(file).toString())
              .filter(file -> file.endsWith("Sql.class") && !file.endsWith("/Sql.class"))
              .map(file -> file.replaceAll("\\.class$", "").replace('/', '.'))
              .sorted()
              .toList();
    }
    Class<?>[] types = new Class<?>[names.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = Class.forName(names.get(i));
    }
    return List.of(types);
  }
}
