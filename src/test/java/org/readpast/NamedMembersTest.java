package org.readpast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that each member that a page or the console names, such as {@code JobQueue.enqueue}, exists
 * in the class. Classes of other projects are ignored. Other tests compile the blocks of pages, and
 * compare the page of names, which also has names of REST and JMX.
 */
class NamedMembersTest {
  private static final Path NAMES = Path.of("docs/reference/names.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern CODE = Pattern.compile("`[^`\n]+`");
  private static final Pattern MEMBER = Pattern.compile("\\b([A-Z]\\w*)[.#](\\w+)");
  private static final Set<String> SUFFIXES_OF_FILES = Set.of("java", "js", "md", "sql");

  @Test
  void every_member_on_a_page_exists() throws IOException, ClassNotFoundException {
    List<Path> sources = new ArrayList<>();
    for (String root : List.of("src/main", "src/test", "src/faults", "src/docs")) {
      sources.addAll(files(root, ".java"));
    }
    List<Path> pages = new ArrayList<>(files("docs", ".md"));
    pages.add(Path.of("README.md"));
    pages.add(Path.of("CONTRIBUTING.md"));
    pages.remove(NAMES);
    Set<String> missing = new TreeSet<>();
    int named = 0;
    for (Path page : pages) {
      String text = BLOCK.matcher(Files.readString(page)).replaceAll("");
      for (MatchResult code : CODE.matcher(text).results().toList()) {
        named += check(page, code.group(), sources, missing);
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(50);
  }

  @Test
  void every_member_of_the_api_in_the_console_exists() throws IOException, ClassNotFoundException {
    List<Path> sources = files("src/main/java/org/readpast/api", ".java");
    Set<String> missing = new TreeSet<>();
    int named = 0;
    for (Path script : files("src/main/webapp/console", ".js")) {
      named += check(script, Files.readString(script), sources, missing);
    }
    assertThat(missing).isEmpty();
    assertThat(named).isPositive();
  }

  private static List<Path> files(String root, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(root))) {
      return files.filter(file -> file.toString().endsWith(suffix)).toList();
    }
  }

  /** Returns the number of members that the text names, and adds those that do not exist. */
  private static int check(Path file, String text, List<Path> sources, Set<String> missing)
      throws ClassNotFoundException {
    int named = 0;
    for (MatchResult name : MEMBER.matcher(text).results().toList()) {
      List<Path> declaring =
          sources.stream().filter(source -> source.endsWith(name.group(1) + ".java")).toList();
      if (!declaring.isEmpty() && !SUFFIXES_OF_FILES.contains(name.group(2))) {
        named++;
        Set<String> members = new TreeSet<>();
        for (Path source : declaring) {
          members.addAll(members(source));
        }
        if (!members.contains(name.group(2))) {
          missing.add(file + ": " + name.group());
        }
      }
    }
    return named;
  }

  private static Set<String> members(Path source) throws ClassNotFoundException {
    String name =
        source.toString().replaceAll(".*(org.readpast.*)\\.java", "$1").replaceAll("\\W", ".");
    Class<?> type = Class.forName(name, false, NamedMembersTest.class.getClassLoader());
    Set<String> members = new TreeSet<>();
    Stream.<Member[]>of(
            type.getDeclaredMethods(),
            type.getMethods(),
            type.getDeclaredFields(),
            type.getFields())
        .flatMap(Stream::of)
        .forEach(member -> members.add(member.getName()));
    Stream.of(type.getDeclaredClasses()).forEach(nested -> members.add(nested.getSimpleName()));
    return members;
  }
}
