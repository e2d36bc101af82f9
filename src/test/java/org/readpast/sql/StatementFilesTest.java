package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.dependency.CancelSql;
import org.readpast.dependency.DependencySql;
import org.readpast.enqueue.EnqueueSql;
import org.readpast.retention.RetentionSql;

/**
 * Compares each statement that claims, ends or releases jobs with a file that contains it as a
 * whole. A change in one part of a statement is therefore visible in a diff. {@code
 * -Dsql.write=true} writes the files.
 */
class StatementFilesTest {
  private static final Path FILES = Path.of("src/test/resources/sql");
  private static final List<Class<?>> ASSEMBLED =
      List.of(
          ClaimSql.class,
          EndSql.class,
          NextInGroupSql.class,
          ReleaseSql.class,
          NodeSql.class,
          MaintenanceSql.class,
          RetentionSql.class,
          DependencySql.class,
          WaitingSql.class,
          CancelSql.class,
          EnqueueSql.class,
          TypeLimitSql.class);
  private static final int MOST_THAT_CLAIM = 6;
  private static final int MOST_THAT_END = 10;

  private static Map<String, String> statements() throws ReflectiveOperationException {
    Map<String, String> all = new TreeMap<>();
    for (Class<?> type : ASSEMBLED) {
      for (Method method : type.getDeclaredMethods()) {
        if (!Modifier.isPublic(method.getModifiers()) || method.getReturnType() != String.class) {
          continue;
        }
        if (method.getParameterCount() == 0) {
          all.put(type.getSimpleName() + "." + method.getName(), (String) method.invoke(null));
        } else if (Arrays.stream(method.getParameterTypes()).allMatch(p -> p == boolean.class)) {
          int combinations = 1 << method.getParameterCount();
          for (int bits = 0; bits < combinations; bits++) {
            Object[] flags = new Object[method.getParameterCount()];
            for (int i = 0; i < flags.length; i++) {
              flags[i] = (bits >> i & 1) == 1;
            }
            String name =
                type.getSimpleName()
                    + "."
                    + method.getName()
                    + Arrays.toString(flags).replaceAll("[\\[\\], ]+", "-");
            all.put(name.replaceAll("-$", ""), (String) method.invoke(null, flags));
          }
        }
      }
    }
    return all;
  }

  private static String text(String statement) {
    return statement.strip() + "\n";
  }

  @Test
  void assembled_statements_match_their_files() throws Exception {
    Map<String, String> all = statements();
    if (Boolean.getBoolean("sql.write")) {
      write(all);
    }
    try (Stream<Path> files = Files.list(FILES)) {
      assertThat(files.map(file -> file.getFileName().toString().replaceAll("\\.sql$", "")))
          .as("files of existing statements")
          .containsExactlyInAnyOrderElementsOf(all.keySet());
    }
    for (Map.Entry<String, String> one : all.entrySet()) {
      assertThat(text(one.getValue()))
          .as("%s; write the files again with -Dsql.write=true", one.getKey())
          .isEqualTo(Files.readString(FILES.resolve(one.getKey() + ".sql")));
    }
  }

  private static void write(Map<String, String> all) throws IOException {
    Files.createDirectories(FILES);
    try (Stream<Path> files = Files.list(FILES)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    for (Map.Entry<String, String> one : all.entrySet()) {
      Files.writeString(FILES.resolve(one.getKey() + ".sql"), text(one.getValue()));
    }
  }

  @Test
  void few_statements_claim_or_end_jobs() throws Exception {
    Map<String, String> all = statements();
    assertThat(all.entrySet())
        .filteredOn(one -> one.getValue().contains("into readpast_lease"))
        .extracting(Map.Entry::getKey)
        .hasSizeLessThanOrEqualTo(MOST_THAT_CLAIM)
        .isNotEmpty();
    assertThat(all.entrySet())
        .filteredOn(one -> one.getValue().contains("delete from readpast_job j"))
        .extracting(Map.Entry::getKey)
        .hasSizeLessThanOrEqualTo(MOST_THAT_END)
        .isNotEmpty();
  }
}
