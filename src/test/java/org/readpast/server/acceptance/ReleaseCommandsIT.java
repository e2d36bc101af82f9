package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.readpast.support.BuildDirectories;
import org.readpast.support.CodeBlock;
import org.readpast.support.Command;
import org.readpast.support.DirectoryTree;
import org.readpast.support.MavenCommand;

/** Runs the commands of the page about releases in a copy of the sources. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIfSystemProperty(named = "readpast.server", matches = "liberty")
class ReleaseCommandsIT {
  private static final Path PAGE = Path.of("docs/development/release.md");
  private static final Path COPY = BuildDirectories.run("release");

  @BeforeAll
  static void copy_the_sources() throws IOException {
    DirectoryTree.delete(COPY);
    Files.createDirectories(COPY);
    try (Stream<Path> entries = Files.list(Path.of("."))) {
      for (Path entry : entries.toList()) {
        String name = entry.getFileName().toString();
        if (!name.equals("target") && !name.equals(".git")) {
          DirectoryTree.copy(entry, COPY.resolve(name));
        }
      }
    }
  }

  private static void run(String part) {
    String commands =
        CodeBlock.of(PAGE).stream()
            .filter(block -> block.language().equals("sh") && block.text().contains(part))
            .map(CodeBlock::text)
            .collect(Collectors.joining());
    assertThat(commands).isNotEmpty();
    Command.runOrFail(
        List.of("bash", "-e", "-c", commands.replace("/tmp/first", "first")),
        COPY,
        MavenCommand.environment(BuildDirectories.run("release-tools")));
  }

  @Test
  @Order(1)
  void two_builds_of_the_same_sources_give_the_same_files() throws IOException {
    run("sha256sum --check");

    assertThat(Files.readAllLines(COPY.resolve("first")))
        .hasSizeGreaterThan(4)
        .anyMatch(line -> line.endsWith("readpast.war"))
        .anyMatch(line -> line.endsWith("readpast-lib.jar"));
  }

  @Test
  @Order(2)
  void baselines_are_written_anew() throws IOException {
    Path baselines = COPY.resolve("src/api");
    try (Stream<Path> files = Files.list(baselines)) {
      for (Path file : files.toList()) {
        Files.write(file, new byte[0]);
      }
    }

    run("-Dapi.write=true");

    for (String list : List.of("configuration-keys.txt", "log-ids.txt")) {
      assertThat(Files.readAllLines(baselines.resolve(list)))
          .containsAll(Files.readAllLines(Path.of("src/api", list)));
    }
    for (String jar : List.of("readpast-api.jar", "readpast-test.jar")) {
      assertThat(baselines.resolve(jar)).hasSameBinaryContentAs(COPY.resolve("target/" + jar));
    }
  }
}
