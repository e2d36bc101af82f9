package org.readpast.faults;

import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Formats the results of runs as text. */
final class ReportText {
  private static final int MOST_VIOLATIONS = 20;

  private ReportText() {}

  /** Reports one run. */
  static String of(FaultRun.Plan plan, Story story, List<Violation> violations) {
    StringBuilder text = new StringBuilder();
    text.append("# Faults: seed ").append(plan.seed()).append(", ").append(plan.servers());
    text.append(", ").append(plan.way()).append("\n\n");
    text.append(figures(List.of(story)));
    text.append(violations.size()).append(" violations");
    text.append(violations.isEmpty() ? "" : ": " + count(violations, Violation::invariant));
    text.append(".\n\n");
    violations.stream()
        .limit(MOST_VIOLATIONS)
        .forEach(violation -> text.append("- ").append(violation).append("\n"));
    return text.toString();
  }

  /** Reports several runs together. */
  static String figures(List<Story> stories) {
    StringBuilder text = new StringBuilder();
    text.append(all(stories, Story::faults).size()).append(" faults. ");
    text.append(count(all(stories, Story::asked), asked -> asked.answer().toString()));
    text.append(" requests for jobs; ").append(all(stories, Story::begun).size());
    text.append(" attempts begun; ")
        .append(count(all(stories, Story::ended), Story.EndedJob::state));
    text.append(" ended; ").append(all(stories, Story::planned).size());
    text.append(
        " seconds of the schedule.\n\nIf no other fault held jobs up meanwhile: longest takeover of a killed server's job ");
    text.append(longest(stories, Takeover::longest));
    text.append("; longest recovery after a restart of the database ");
    text.append(longest(stories, story -> Recovery.longest(story, Faults.RESTART)));
    text.append(", after the death of a leader ");
    text.append(longest(stories, story -> Recovery.longest(story, Faults.LEADER_KILLED)));
    text.append(".\n\n| fault | times | while transactional jobs were running | leased jobs |");
    text.append(" jobs interrupted before |\n|---|---:|---:|---:|---:|\n");
    Map<String, List<Struck>> kinds =
        stories.stream()
            .flatMap(story -> Struck.all(story).stream())
            .collect(Collectors.groupingBy(one -> one.fault().kind(), TreeMap::new, toList()));
    kinds.forEach(
        (kind, times) ->
            text.append("| " + kind + " | " + times.size())
                .append(" | " + times.stream().filter(one -> one.transactional() > 0).count())
                .append(" | " + times.stream().filter(one -> one.leased() > 0).count())
                .append(" | " + times.stream().filter(one -> one.again() > 0).count() + " |\n"));
    return text.append('\n').toString();
  }

  private static <T> List<T> all(List<Story> stories, Function<Story, List<T>> part) {
    return stories.stream().flatMap(story -> part.apply(story).stream()).toList();
  }

  private static String longest(List<Story> stories, ToLongFunction<Story> micros) {
    return String.format("%.1f s", stories.stream().mapToLong(micros).max().orElse(0) / 1e6);
  }

  private static <T> Map<String, Long> count(List<T> all, Function<T, String> kind) {
    return all.stream().collect(Collectors.groupingBy(kind, TreeMap::new, Collectors.counting()));
  }

  /** Appends to {@code target/faults/report.md}. */
  static void write(String text) {
    Path file = Path.of("target/faults/report.md");
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
