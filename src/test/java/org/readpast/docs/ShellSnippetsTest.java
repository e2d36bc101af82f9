package org.readpast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonException;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.readpast.support.CodeBlock;
import org.readpast.support.Command;

/**
 * Tests that commands name existing things: routes of the API, and profiles, properties and tests
 * of the build.
 */
class ShellSnippetsTest {
  private static final Pattern PLACEHOLDER = Pattern.compile("<[a-zA-Z][\\w .-]*>");
  private static final Pattern CURL =
      Pattern.compile("(?m)^ *curl .*(?:\\\\\n.*|'[^']*\n[^']*'.*)*");
  private static final Pattern METHOD = Pattern.compile("-X (\\w+)");
  private static final Pattern BODY = Pattern.compile("(?s)-d '((?:[^']|'\\\\'')*)'");
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\$READPAST|readpast/api)(/[^\\s\"'?]*)");
  private static final Pattern MAVEN =
      Pattern.compile("(?m)^ *mvn .*(?:\\\\\n.*)*|`(?:(?:nice )?mvn |-[DP])[^`]*`");
  private static final Pattern DATABASE =
      Pattern.compile("(?m)^(?:export )?(?:P|READPAST_DB_(?:SYSTEM_)?URL)=.*$");
  private static final Pattern PROFILE = Pattern.compile("-P([\\w-]+)");
  private static final Pattern EXECUTION = Pattern.compile("[\\w-]+:[\\w-]+@([\\w-]+)");
  private static final Pattern PROPERTY = Pattern.compile("-D([\\w.-]+)(?:=([\\w#*.]+))?");

  /** Lists properties that plugins or Maven itself define. */
  private static final Set<String> OTHERS_PROPERTIES =
      Set.of(
          "file",
          "pomFile",
          "packaging",
          "url",
          "repositoryId",
          "artifact",
          "outputDirectory",
          "mdep.stripVersion",
          "it.test",
          "test",
          "skipTests",
          "formats");

  private final String pom = Pages.text(Path.of("pom.xml"));

  @Test
  void shell_parses_every_block() {
    for (CodeBlock block : Pages.blocks("sh")) {
      String text = PLACEHOLDER.matcher(block.text()).replaceAll("placeholder");
      Command.Result result = Command.run(List.of("bash", "-n", "-c", text));
      assertThat(result.exitCode()).as("%s: %s", block, result.output()).isZero();
    }
  }

  @Test
  void requests_go_to_routes_of_the_api_with_json_that_can_be_read() {
    List<Pattern> routes =
        OpenApi.operations().stream()
            .map(o -> o.replace("/api", "").replaceAll("\\{\\w+}", "[^/]+"))
            .map(Pattern::compile)
            .toList();
    int requests = 0;
    for (CodeBlock block : Pages.blocks("sh")) {
      for (String command : found(CURL, block.text())) {
        var body = BODY.matcher(command);
        boolean hasBody = body.find();
        if (hasBody) {
          assertThat(isJson(body.group(1).replace("'\\''", "'")))
              .as("%s: %s", block, command)
              .isTrue();
        }
        var address = ADDRESS.matcher(command);
        if (address.find()) {
          var method = METHOD.matcher(command);
          String request =
              (method.find() ? method.group(1) : hasBody ? "POST" : "GET") + " " + address.group(1);
          assertThat(routes)
              .as("%s: %s", block, request)
              .anyMatch(route -> route.matcher(request).matches());
          requests++;
        }
      }
    }
    assertThat(requests).isGreaterThan(20);
  }

  private static boolean isJson(String text) {
    try (var reader = Json.createReader(new StringReader(text))) {
      reader.readValue();
      return true;
    } catch (JsonException e) {
      return false;
    }
  }

  @Test
  void addresses_of_databases_have_parameters_that_the_driver_knows() {
    Set<String> known =
        Stream.of(PGProperty.values()).map(PGProperty::getName).collect(Collectors.toSet());
    int addresses = 0;
    for (CodeBlock block : Pages.blocks("sh")) {
      if (block.text().contains("READPAST_DB_URL=")) {
        Command.Result result =
            Command.run(
                List.of(
                    "bash",
                    "-c",
                    String.join("\n", found(DATABASE, block.text()))
                        + "\nprintf '%s\\n' $READPAST_DB_URL $READPAST_DB_SYSTEM_URL"));
        for (String address : result.output().split("\n")) {
          assertThat(Driver.parseURL(address, null)).as("%s: %s", block, address).isNotNull();
          int query = address.indexOf('?');
          for (String parameter : address.substring(query + 1).split("&")) {
            if (query > 0) {
              assertThat(known).as(block.toString()).contains(parameter.replaceAll("=.*", ""));
            }
          }
          addresses++;
        }
      }
    }
    assertThat(addresses).isGreaterThan(4);
  }

  @Test
  void maven_commands_use_existing_profiles_goals_and_tests() {
    Set<String> tests = tests();
    String sources = pom + javaBelow();
    Set<String> unknown = new TreeSet<>();
    int calls = 0;
    for (Path page : Pages.all()) {
      for (String call : found(MAVEN, Pages.text(page))) {
        calls++;
        PROFILE
            .matcher(call)
            .results()
            .map(found -> found.group(1))
            .filter(profile -> !pom.contains("<id>" + profile + "</id>"))
            .forEach(profile -> unknown.add(page + ": -P" + profile));
        EXECUTION
            .matcher(call)
            .results()
            .map(found -> found.group(1))
            .filter(execution -> !pom.contains("<id>" + execution + "</id>"))
            .forEach(execution -> unknown.add(page + ": @" + execution));
        PROPERTY
            .matcher(call)
            .results()
            .filter(found -> !isKnown(found.group(1), found.group(2), sources, tests))
            .forEach(found -> unknown.add(page + ": " + found.group()));
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(calls).isGreaterThan(20);
  }

  private static boolean isKnown(String name, String value, String sources, Set<String> tests) {
    if (value != null && (name.equals("it.test") || name.equals("test"))) {
      return tests.contains(value.replaceAll("#.*", ""));
    }
    return OTHERS_PROPERTIES.contains(name)
        || sources.contains("${" + name + "}")
        || sources.contains("<name>" + name + "</name>")
        || sources.contains("\"" + name + "\"");
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group()).toList();
  }

  private static Set<String> tests() {
    try (Stream<Path> files = files()) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.replace(".java", ""))
          .collect(Collectors.toSet());
    }
  }

  private static String javaBelow() {
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = files()) {
      files.filter(file -> file.toString().endsWith(".java")).map(Pages::text).forEach(texts::add);
    }
    return String.join("\n", texts);
  }

  /**
   * Returns the files of the tests, the benchmark and the fault suite, all of which read
   * properties.
   */
  private static Stream<Path> files() {
    return Stream.of("test", "benchmark", "faults").flatMap(ShellSnippetsTest::walk);
  }

  private static Stream<Path> walk(String directory) {
    try {
      return Files.walk(Path.of("src", directory));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
