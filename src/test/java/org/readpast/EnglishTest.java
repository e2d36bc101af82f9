package org.readpast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that all texts of the project are plain English; english-markers.txt lists unclear
 * wordings.
 */
class EnglishTest {
  private static final double MARKERS_PER_THOUSAND_WORDS = 2;
  private static final Pattern COMMENT =
      Pattern.compile("/\\*(.*?)\\*/|(?<![:\"'])//([^\n]*)", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\{@\\w+ [^}]*}|(?m)^\\s*\\*");
  private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  private static final Pattern TEST_NAME = Pattern.compile("void ([a-z0-9]+(?:_[a-z0-9]+)+)\\(");
  private static final Pattern CODE_BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
  private static final Pattern SQL_TEXT = Pattern.compile("--[^\n]*| is '[^\n]*'");
  private static final Pattern XML_COMMENT = Pattern.compile("<!--(.*?)-->", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("[A-Za-z']+");

  // Matches Javadoc up to its first tag.
  private static final Pattern JAVADOC = Pattern.compile("(?ms)^\\s*/\\*\\*(.*?)(\\*/|\\s@\\w)");
  private static final Pattern QUESTION =
      Pattern.compile("(Whether|How|Where|What|Who|Of|The same)\\b");
  private static final Pattern INTRODUCTION =
      Pattern.compile("^(After|Below|During|For|If|In|On|When|While|Without)\\b[^,]*, ");
  private static final Pattern CLAUSE =
      Pattern.compile("[,:;.]|\\b(that|which|whose?|where|when|if|because|so)\\b");
  private static final Pattern PLURAL_NOUN =
      Pattern.compile(
          "(Jobs|Handlers|Methods|Texts|Settings|Nodes|Events|Statements|Files|Values|This)\\b"
              + "|[\\w-]+s (of|whose)\\b");
  private static final Pattern VERB_FIRST = Pattern.compile("[\\w-]*[^\\Wsu]s\\b");
  private static final Pattern VERB =
      Pattern.compile(
          "(?i)\\b(is|are|was|were|has|have|had|does|do|did|can|cannot|could|may|might|must|should"
              + "|will|would|arrived|connect|consists|contains|depend|differ|dies|exceeded|fails"
              + "|handles|holds|knows|leases|needs|requested|resets|sets|skips|take|threw|thrown"
              + "|uses|waits|writes)\\b");

  private record Text(Path file, String words) {}

  @ParameterizedTest
  @CsvSource({
    "src/main/java, COMMENTS",
    "src/main/java, STRINGS",
    "src/test/java, COMMENTS",
    "src/test/java, STRINGS",
    "src/test/java, TEST_NAMES",
    "src/faults, COMMENTS",
    "src/benchmark, COMMENTS",
    "src/examples, COMMENTS",
    "src/main/webapp/console, WHOLE",
    "src/main/webapp/WEB-INF/classes/META-INF/openapi.yaml, WHOLE",
    "liquibase, SQL",
    "docs, MARKDOWN",
    "README.md, MARKDOWN",
    "CONTRIBUTING.md, MARKDOWN",
    "SECURITY.md, MARKDOWN",
    "CHANGELOG.md, MARKDOWN",
    "pom.xml, XML",
    "server-config, XML",
  })
  void text_is_plain_english(Path root, Kind kind) throws IOException {
    List<Text> texts = texts(root, kind);
    long words = texts.stream().mapToLong(text -> WORD.matcher(text.words).results().count()).sum();
    assertThat(words).as("words found below %s", root).isGreaterThan(100);
    List<String> found = new ArrayList<>();
    for (Text text : texts) {
      for (Marker marker : markers()) {
        marker
            .pattern
            .matcher(text.words)
            .results()
            .map(match -> "%s: '%s' => %s".formatted(text.file, match.group(), marker.instead))
            .forEach(found::add);
      }
    }
    assertThat(found.size() * 1_000.0 / words)
        .as("markers in 1,000 words:%n%s", String.join("\n", found))
        .isLessThanOrEqualTo(MARKERS_PER_THOUSAND_WORDS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/main",
        "src/test",
        "src/faults",
        "src/benchmark",
        "src/docs",
        "src/dev",
        "src/examples"
      })
  void javadoc_opens_with_a_sentence_that_has_a_verb(Path root) throws IOException {
    List<String> refused = new ArrayList<>();
    for (Path file : files(root)) {
      if (file.toString().matches(".*\\.(java|js|mjs|ts)")) {
        JAVADOC
            .matcher(read(file))
            .results()
            .map(javadoc -> javadoc.group(1).replaceAll("\\s*\n\\s*\\*?\\s*", " ").strip())
            .filter(text -> !text.isEmpty() && !text.startsWith("{"))
            .filter(text -> QUESTION.matcher(text).lookingAt() || !hasVerb(text))
            .map(text -> file + ": " + text)
            .forEach(refused::add);
      }
    }
    assertThat(refused).isEmpty();
  }

  /**
   * Returns true if the first word seems to be a verb, such as "Returns", or if a known verb occurs
   * before the first clause. "The jobs that are running" has a verb only in its clause. If the test
   * refuses a sentence, add the verb to {@link #VERB}.
   */
  private static boolean hasVerb(String text) {
    String sentence = INTRODUCTION.matcher(text).replaceFirst("");
    return (VERB_FIRST.matcher(sentence).lookingAt() && !PLURAL_NOUN.matcher(sentence).lookingAt())
        || VERB.matcher(CLAUSE.split(sentence, 2)[0]).find();
  }

  enum Kind {
    COMMENTS(".java", all(COMMENT, match -> LINK.matcher(match.group()).replaceAll(" "))),
    STRINGS(".java", text -> strings(COMMENT.matcher(text).replaceAll(""))),
    TEST_NAMES(".java", all(TEST_NAME, match -> match.group(1).replace('_', ' '))),
    WHOLE("", text -> text),
    SQL(".sql", all(SQL_TEXT, MatchResult::group)),
    MARKDOWN(".md", text -> CODE_BLOCK.matcher(text).replaceAll("")),
    XML(".xml", all(XML_COMMENT, match -> match.group(1)));

    private final String suffix;
    private final Function<String, String> words;

    Kind(String suffix, Function<String, String> words) {
      this.suffix = suffix;
      this.words = words;
    }

    private static Function<String, String> all(
        Pattern pattern, Function<MatchResult, String> words) {
      return text -> pattern.matcher(text).results().map(words).collect(Collectors.joining("\n"));
    }

    private static String strings(String code) {
      return STRING
          .matcher(code)
          .results()
          .map(match -> match.group(1))
          .filter(string -> string.contains(" "))
          .collect(Collectors.joining("\n"));
    }
  }

  private record Marker(Pattern pattern, String instead) {}

  private static List<Marker> markers() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/english-markers.txt")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\\s+=> ", 2))
        .map(parts -> new Marker(Pattern.compile(parts[0], Pattern.CASE_INSENSITIVE), parts[1]))
        .toList();
  }

  private static List<Text> texts(Path root, Kind kind) throws IOException {
    return files(root).stream()
        .filter(file -> file.toString().endsWith(kind.suffix))
        .map(file -> new Text(file, kind.words.apply(read(file))))
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).filter(file -> !isVendored(file)).toList();
    }
  }

  // The test and its list contain the wordings themselves; pictures and archives contain no text.
  // Other files are copied from other projects, or generated.
  private static boolean isVendored(Path file) {
    String name = file.toString();
    return name.contains("english-markers")
        || name.matches(
            ".*/(node_modules|target|webapp/vendor|vendor-types|openapi\\.d\\.ts)(/.*)?")
        || name.endsWith("EnglishTest.java")
        || name.matches(".*\\.(png|svg|jar|war|ico|woff2|p12)");
  }
}
