package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests the documentation of the steps from claim to completion: it must name all classes, and only
 * few of them.
 */
class PipelineIT {
  private static final Path PAGE = Path.of("docs/architecture.md");
  private static final Path SOURCES = Path.of("src/main/java/org/readpast");
  private static final int MOST_FILES = 20;
  private static final Pattern STEP =
      Pattern.compile("^(\\d+)\\. `([a-z]+/\\w+)`", Pattern.MULTILINE);
  private static final Pattern FILE =
      Pattern.compile(
          "`((?:api|database|dependency|engine|enqueue|model|runtime|sql|store)/\\w+)`");

  private static String section(String mode) throws IOException {
    String page = Files.readString(PAGE);
    String from = page.substring(page.indexOf("### " + mode));
    int end = from.indexOf("\n##", 4);
    return from.substring(0, end);
  }

  private static List<String> steps(ReceiveMode mode) throws IOException {
    List<String> steps = new ArrayList<>();
    Matcher found = STEP.matcher(section(mode.name()));
    if (mode == ReceiveMode.LEASED) {
      // The first steps are the same in both modes.
      steps.addAll(steps(ReceiveMode.TRANSACTIONAL).subList(0, 12));
    }
    while (found.find()) {
      steps.add(found.group(2));
    }
    return steps;
  }

  @Test
  void each_file_that_is_named_exists() throws IOException {
    Matcher found = FILE.matcher(Files.readString(PAGE));
    List<String> files = new ArrayList<>();
    while (found.find()) {
      files.add(found.group(1));
    }
    assertThat(files).hasSizeGreaterThan(20);
    assertThat(files).allMatch(file -> Files.exists(SOURCES.resolve(file + ".java")));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void path_of_a_job_has_few_classes_and_all_are_documented(ReceiveMode mode) throws IOException {
    List<String> steps = steps(mode);
    assertThat(steps).hasSizeLessThanOrEqualTo(MOST_FILES).doesNotHaveDuplicates();

    Set<String> met = new ConcurrentSkipListSet<>();
    Database database = TestDatabase.withTables();
    try (TestNode node = new TestNode(database)) {
      node.transactions().watchedBy(() -> met.addAll(onThisStack()));
      node.handles(
              "t",
              mode,
              (payload, context) -> {
                met.addAll(onThisStack());
                if (context.attempt() == 1) {
                  throw new IllegalStateException("once");
                }
                return JobResult.done();
              })
          .start();
      node.enqueue("t");
      Await.until(
          Duration.ofSeconds(20),
          "the job has ended",
          () ->
              TestDatabase.count(
                      database, "select count(*) from readpast_job_history where attempt = 2")
                  == 1);
    }
    assertThat(met)
        .contains("engine/Receiver", "engine/JobWorker", "store/Claims", "store/JobEndStore");
    Set<String> named = new TreeSet<>(steps);
    Matcher beside = FILE.matcher(section("TRANSACTIONAL") + section(mode.name()));
    while (beside.find()) {
      named.add(beside.group(1));
    }
    assertThat(met).isSubsetOf(named);
  }

  /** Returns the classes of the engine and the store on the stack of a receiver's thread. */
  private static Set<String> onThisStack() {
    List<String> all =
        StackWalker.getInstance()
            .walk(
                frames ->
                    frames
                        .map(frame -> frame.getClassName().replaceAll("\\$.*", ""))
                        .filter(name -> name.matches("org\\.readpast\\.\\w+\\.\\w+"))
                        .filter(name -> !name.endsWith("IT"))
                        .map(name -> name.substring("org.readpast.".length()).replace('.', '/'))
                        .toList());
    boolean claimed =
        all.contains("engine/Receiver")
            && !all.contains("admin/Reports")
            && !all.contains("engine/WakeUps");
    return claimed
        ? all.stream()
            .filter(name -> name.matches("(engine|store|sql|dependency|enqueue)/.*"))
            .collect(Collectors.toSet())
        : Set.of();
  }
}
