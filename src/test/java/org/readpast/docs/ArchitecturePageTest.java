package org.readpast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.readpast.model.Transition;
import org.readpast.support.CodeBlock;

/** Tests that the diagrams of the architecture show the dependencies in the code. */
class ArchitecturePageTest {
  private static final Path PAGE = Path.of("docs/architecture.md");
  private static final Pattern ARROW =
      Pattern.compile("(?m)^ *([A-Za-z.]+) --> ([A-Za-z.]+)(?::.*)?$");
  private static final String ROOT = "org.readpast.";

  private static String diagram(String chapter) {
    return CodeBlock.of(PAGE).stream()
        .filter(block -> block.language().equals("mermaid") && block.chapter().equals(chapter))
        .map(CodeBlock::text)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no diagram below '" + chapter + "'"));
  }

  private static List<String> arrows(String chapter) {
    return ARROW
        .matcher(diagram(chapter))
        .results()
        .map(arrow -> arrow.group(1) + " " + arrow.group(2))
        .toList();
  }

  @Test
  void state_diagram_matches_the_transitions() {
    Set<String> changes = new TreeSet<>();
    for (Transition transition : Transition.values()) {
      transition.from().forEach(from -> changes.add(from + " " + transition.to()));
    }
    assertThat(arrows("States")).containsExactlyInAnyOrderElementsOf(changes);
  }

  @Test
  void package_diagram_matches_the_dependencies() {
    Map<String, Set<String>> used = new TreeMap<>();
    for (JavaClass one : new ClassFileImporter().importPath(Path.of("target/classes"))) {
      String from = one.getPackageName().substring(ROOT.length());
      one.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getPackageName())
          .filter(name -> name.startsWith(ROOT) && !name.equals(one.getPackageName()))
          .forEach(
              name ->
                  used.computeIfAbsent(from, none -> new TreeSet<>())
                      .add(name.substring(ROOT.length())));
    }
    Set<String> necessary =
        used.entrySet().stream()
            .flatMap(
                entry ->
                    entry.getValue().stream()
                        .filter(to -> !reached(used, entry.getKey(), to).contains(to))
                        .map(to -> entry.getKey() + " " + to))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(arrows("Packages")).containsExactlyInAnyOrderElementsOf(necessary);
  }

  /** Returns the packages that a package reaches by other arrows than that to {@code without}. */
  private static Set<String> reached(Map<String, Set<String>> used, String from, String without) {
    Set<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      String one = next.pop();
      for (String other : used.getOrDefault(one, Set.of())) {
        boolean itself = one.equals(from) && other.equals(without);
        if (!itself && reached.add(other)) {
          next.add(other);
        }
      }
    }
    return reached;
  }

  @Test
  void page_has_diagrams_of_both_receive_modes_and_the_takeover() {
    assertThat(diagram("Claim to completion")).contains("alt TRANSACTIONAL", "else LEASED");
    assertThat(diagram("Takeover")).contains("declare the node dead");
  }
}
