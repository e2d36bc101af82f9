package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.api.Job;
import org.readpast.api.JobEvent;
import org.readpast.api.JobRequest;
import org.readpast.api.JobState;
import org.readpast.api.Receive;
import org.readpast.api.Retries;
import org.readpast.api.Scheduled;
import org.readpast.telemetry.JobTypeMXBean;
import org.readpast.telemetry.NodeMXBean;
import org.readpast.telemetry.QueueMXBean;
import org.yaml.snakeyaml.Yaml;

/** Compares the page that lists names with the code, in both directions. */
class NamesAreTheSameTest {
  private static final Path PAGE = Path.of("docs/reference/names.md");
  private static final Path WEB = Path.of("src/main/webapp");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final String WHY = "why it differs";

  private final Map<String, Object> openApi = openApi();
  private final List<Map<String, String>> rows = rows();

  private static Map<String, Object> openApi() {
    try (var file = Files.newBufferedReader(WEB.resolve("WEB-INF/classes/META-INF/openapi.yaml"))) {
      return new Yaml().load(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the rows of all tables, each keyed by its column headings. */
  private static List<Map<String, String>> rows() {
    List<Map<String, String>> rows = new ArrayList<>();
    List<String> heads = List.of();
    try {
      for (String line : Files.readAllLines(PAGE)) {
        List<String> cells = cells(line);
        if (cells.isEmpty()) {
          heads = List.of();
        } else if (heads.isEmpty()) {
          heads = cells;
        } else if (!cells.get(0).startsWith("---")) {
          assertThat(cells).as(line).hasSameSizeAs(heads);
          Map<String, String> row = new LinkedHashMap<>();
          for (int i = 0; i < cells.size(); i++) {
            row.put(heads.get(i), cells.get(i));
          }
          rows.add(row);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return rows;
  }

  private static List<String> cells(String line) {
    return line.startsWith("|")
        ? Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
            .map(String::strip)
            .toList()
        : List.of();
  }

  private static Stream<String> namesIn(String cell) {
    return NAME.matcher(cell).results().map((MatchResult found) -> found.group(1));
  }

  private Set<String> column(String head) {
    return rows.stream()
        .filter(row -> row.containsKey(head))
        .flatMap(row -> namesIn(row.get(head)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void each_name_of_the_page_exists_in_the_code() throws IOException {
    String console = console();
    List<String> searched = searchWords();
    assertThat(column("Java")).isNotEmpty().allSatisfy(NamesAreTheSameTest::isInApi);
    assertThat(column("REST")).isNotEmpty().allSatisfy(this::isInOpenApi);
    assertThat(column("JMX")).isNotEmpty().isSubsetOf(beans());
    assertThat(column("metrics")).isNotEmpty().isSubsetOf(metrics());
    assertThat(column("configuration"))
        .isNotEmpty()
        .allMatch(key -> ConfigurationKeys.known(key.replace('…', 'x')));
    assertThat(column("console"))
        .isNotEmpty()
        .allMatch(
            word ->
                word.endsWith(":")
                    ? searched.contains(word)
                    : console.contains("'" + word + "'") || console.contains(">" + word + "<"));
  }

  @Test
  void names_differ_only_where_the_page_gives_a_reason() {
    for (Map<String, String> row : rows) {
      if (row.get(WHY).isEmpty()) {
        String name = plain(row.get("name"));
        row.forEach(
            (head, cell) -> {
              if (!head.equals("name")) {
                assertThat(namesIn(cell))
                    .as("%s of %s", head, row.get("name"))
                    .allSatisfy(one -> assertThat(plain(last(one))).isEqualTo(name));
              }
            });
      }
    }
  }

  @Test
  void each_name_of_the_code_is_on_the_page() {
    Set<String> java = column("Java");
    assertThat(java)
        .containsAll(
            methods(JobRequest.class)
                .filter(m -> m.getReturnType() == JobRequest.class)
                .map(named())
                .toList())
        .containsAll(
            methods(JobEvent.class)
                .map(named())
                .filter(name -> !name.endsWith(".id") && !name.endsWith(".failure"))
                .toList())
        .containsAll(methods(Job.class).map(named()).filter(name -> !name.endsWith(".id")).toList())
        .containsAll(methods(Scheduled.class).map(named()).toList())
        .containsAll(methods(Receive.class).map(named()).toList())
        .containsAll(methods(Retries.class).map(named()).toList())
        .containsAll(Arrays.stream(JobState.values()).map(s -> "JobState." + s).toList());
    assertThat(column("REST"))
        .containsAll(members("NewJob").stream().map(name -> "NewJob." + name).toList())
        .containsAll(members("NewSchedule").stream().map(name -> "NewSchedule." + name).toList())
        .containsAll(members("BatchDefinition").stream().map(n -> "BatchDefinition." + n).toList())
        .containsAll(states().stream().map(name -> "State." + name).toList());
    assertThat(column("JMX"))
        .containsAll(
            beans().stream()
                .filter(name -> !name.startsWith("Node."))
                .filter(
                    name -> !Set.of("Queue.Name", "Queue.Served", "JobType.Name").contains(name))
                .toList());
    assertThat(column("metrics")).containsAll(metrics());
  }

  @Test
  void requests_accept_exactly_the_described_fields() throws ReflectiveOperationException {
    Set<String> described = new TreeSet<>(members("NewJob"));
    described.add("queue");
    Field known =
        Class.forName("org.readpast.rest.jobs.JobRequests").getDeclaredField("KNOWN_WITH_QUEUE");
    known.setAccessible(true);
    assertThat(new TreeSet<>((List<?>) known.get(null))).isEqualTo(described);
  }

  private static java.util.function.Function<Method, String> named() {
    return method -> method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  private static Stream<Method> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> Modifier.isPublic(m.getModifiers()) && !Modifier.isStatic(m.getModifiers()));
  }

  private static void isInApi(String name) {
    String[] parts = name.split("\\.");
    try {
      Class<?> type = Class.forName("org.readpast.api." + parts[0]);
      Stream<String> constants =
          type.isEnum()
              ? Arrays.stream(type.getEnumConstants()).map(String::valueOf)
              : Stream.empty();
      assertThat(Stream.concat(Arrays.stream(type.getMethods()).map(Method::getName), constants))
          .contains(parts[1]);
    } catch (ClassNotFoundException e) {
      throw new AssertionError("no such type: " + name, e);
    }
  }

  private void isInOpenApi(String name) {
    String[] parts = name.split("[ .]", 2);
    if (name.contains(" ")) {
      assertThat(map(openApi.get("paths"), parts[1]))
          .containsKey(parts[0].toLowerCase(Locale.ROOT));
    } else if (parts[0].equals("State")) {
      assertThat(states()).contains(parts[1]);
    } else {
      assertThat(members(parts[0])).as(name).contains(parts[1]);
    }
  }

  private List<String> states() {
    return ((List<?>) schema("State").get("enum")).stream().map(String::valueOf).toList();
  }

  /** Returns the members of a schema, or those of each entry if the schema is a list of queues. */
  private Set<String> members(String schema) {
    Map<String, Object> properties = map(schema(schema), "properties");
    Set<String> members = new TreeSet<>(properties.keySet());
    if (schema.equals("Listener")) {
      members.addAll(map(map(properties, "queues"), "items", "properties").keySet());
    }
    return members;
  }

  private Map<String, Object> schema(String name) {
    return map(openApi, "components", "schemas", name);
  }

  // The objects of the API are mappings in YAML, with strings as keys.
  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object from, String... path) {
    Map<String, Object> map = (Map<String, Object>) from;
    for (String step : path) {
      assertThat(map).containsKey(step);
      map = (Map<String, Object>) map.get(step);
    }
    return map;
  }

  private static Set<String> beans() {
    Set<String> names = new TreeSet<>();
    Map.of("Queue", QueueMXBean.class, "JobType", JobTypeMXBean.class, "Node", NodeMXBean.class)
        .forEach(
            (bean, type) ->
                methods(type)
                    .filter(m -> !m.getName().startsWith("set"))
                    .map(Method::getName)
                    .map(
                        name ->
                            name.matches("(get|is)[A-Z].*")
                                ? name.replaceFirst("get|is", "")
                                : name + "()")
                    .forEach(name -> names.add(bean + "." + name)));
    return names;
  }

  private static Set<String> metrics() {
    try {
      Class<?> measure = Class.forName("org.readpast.telemetry.Measure");
      Method name = measure.getDeclaredMethod("name");
      name.setAccessible(true);
      Set<String> names = new TreeSet<>();
      for (Field field : measure.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          Object value = constant(measure, field.getName());
          for (Object one : value instanceof List<?> list ? list : List.of(value)) {
            if (measure.isInstance(one)) {
              names.add((String) name.invoke(one));
            }
          }
        }
      }
      names.add((String) constant(measure, "OLDEST"));
      for (Object state : (List<?>) constant(measure, "STATES")) {
        names.add(constant(measure, "JOBS") + "{" + state + "}");
      }
      return names;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Object constant(Class<?> type, String name) throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }

  private static List<String> searchWords() {
    try {
      String known = (String) constant(Class.forName("org.readpast.model.JobSearch"), "KNOWN");
      return Arrays.asList(known.split(", +"));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static String console() throws IOException {
    try (Stream<Path> files = Files.walk(WEB.resolve("console"))) {
      StringBuilder text = new StringBuilder();
      for (Path file : files.filter(f -> f.toString().endsWith(".js")).toList()) {
        text.append(Files.readString(file));
      }
      return text.toString();
    }
  }

  /**
   * Returns the part of the name after the last dot or space. For a metric, returns the name
   * without its prefix, followed by its label if it has one.
   */
  private static String last(String name) {
    if (name.contains("{") && name.startsWith("readpast.")) {
      return name.substring(name.indexOf('{') + 1, name.length() - 1);
    }
    if (name.startsWith("readpast.") && !name.contains("…")) {
      return name.replaceFirst("readpast\\.(type\\.)?", "");
    }
    String end = name.substring(name.lastIndexOf('/') + 1);
    return name.contains("/") || name.endsWith(":") || name.contains(" ")
        ? end
        : name.substring(name.lastIndexOf('.') + 1);
  }

  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT);
  }
}
