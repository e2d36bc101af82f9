package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.support.BuildDirectories;
import org.readpast.support.CodeBlock;
import org.readpast.support.Command;
import org.readpast.support.DirectoryTree;
import org.readpast.support.MavenCommand;
import org.readpast.support.Ports;

/**
 * Performs the ten steps in an empty directory as described on the page: with its files and
 * commands, a separate server, and the PostgreSQL that Maven downloads. Only the ports are changed.
 */
class GettingStartedIT {
  private static final Path PAGE = Path.of("docs/guide/getting-started.md");
  private static final String STOP = "Stop it";
  private static final Pattern FILE = Pattern.compile("`([\\w/-]*[./][\\w./-]*)`");
  private static final List<Integer> PAYARA_PORTS = List.of(8, 37, 38, 39, 48, 80, 81, 86);

  private final boolean liberty =
      System.getProperty("readpast.server", "liberty").equals("liberty");

  @Test
  void ten_steps_lead_from_an_empty_directory_to_a_completed_job() throws IOException {
    Path directory = BuildDirectories.run(liberty ? "getting-started" : "getting-started-payara");
    DirectoryTree.delete(directory);
    Files.createDirectories(directory);
    Path tools = directory.resolveSibling("getting-started-tools");
    Map<String, String> environment = MavenCommand.environment(tools);
    Path script = Files.writeString(tools.resolve("steps.sh"), script());

    Command.Result result =
        Command.run(List.of("bash", "-e", script.toString()), directory, environment);

    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output())
        .contains("job 1\n")
        .contains("\"result\":\"invoice 42 sent to accounts@example.org\"")
        .contains("404 Not Found")
        .contains("{\"jobs\":[{\"id\":1,")
        .doesNotContain("\"id\":2,");
  }

  /**
   * Returns a script with all steps except the first, which the build of Readpast has done; the
   * script always stops the server, even after a failure.
   */
  private String script() {
    List<CodeBlock> blocks = CodeBlock.of(PAGE).stream().filter(this::isDone).toList();
    String stop =
        "stop() {\nset +e\n" + text(blocks.stream().filter(GettingStartedIT::stops)) + "}\n";
    String steps = text(blocks.stream().filter(block -> !stops(block)));
    return withFreePorts(stop + "trap stop EXIT\n" + steps);
  }

  private boolean isDone(CodeBlock block) {
    return !block.chapter().startsWith("1. ")
        && !block.section().equals(liberty ? "On Payara Server" : "On Open Liberty")
        && !block.section().equals("With your own PostgreSQL");
  }

  private static boolean stops(CodeBlock block) {
    return block.chapter().equals(STOP);
  }

  private static String text(Stream<CodeBlock> blocks) {
    StringBuilder text = new StringBuilder();
    blocks.forEach(block -> text.append(command(block)));
    return text.toString();
  }

  private static String command(CodeBlock block) {
    if (block.language().equals("sh")) {
      return block.text();
    }
    var file = FILE.matcher(block.before());
    assertThat(file.find()).as("a file's name above " + block).isTrue();
    return "mkdir -p \"$(dirname %1$s)\"\ncat > %1$s <<'END_OF_FILE'\n%2$sEND_OF_FILE\n"
        .formatted(file.group(1), block.text());
  }

  private static String withFreePorts(String script) {
    int base =
        IntStream.generate(Ports::free)
            .filter(port -> PAYARA_PORTS.stream().noneMatch(next -> Ports.isTaken(port + next)))
            .findFirst()
            .orElseThrow();
    return script
        .replace("5432", Integer.toString(Ports.free()))
        .replace("9080", Integer.toString(Ports.free()))
        .replace("--portbase 8000", "--portbase " + base)
        .replace("8048", Integer.toString(base + 48))
        .replace("8080", Integer.toString(base + 80));
  }
}
