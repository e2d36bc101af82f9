package org.readpast.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.readpast.faults.Story.Injected;
import org.readpast.faults.Story.Over;

/** What a run has shown, for people. */
final class ReportText {
  private static final int MOST_VIOLATIONS = 20;

  private ReportText() {}

  static String of(Programme.Plan plan, Story story, List<Violation> violations) {
    StringBuilder text = new StringBuilder();
    text.append("# Faults: seed ").append(plan.seed()).append(", ").append(plan.servers());
    text.append("\n\n").append(story.faults().size()).append(" faults. ");
    text.append(count(story.asked(), asked -> asked.answer().toString()));
    text.append(" requests for jobs; ").append(story.begun().size()).append(" attempts begun; ");
    text.append(count(story.ended(), Story.Ended::state)).append(" ended; ");
    text.append(story.planned().size()).append(" seconds of the schedule; ");
    text.append(violations.size()).append(" violations.\n\n");
    text.append("Longest takeover of a killed server's job: ")
        .append(seconds(LongStream.of(Takeover.longest(story))))
        .append(". Longest recovery after a restart of the database: ")
        .append(seconds(recoveries(story)))
        .append(".\n\n| fault | times |\n|---|---:|\n");
    count(story.faults(), Injected::kind)
        .forEach((kind, times) -> text.append("| " + kind + " | " + times + " |\n"));
    text.append('\n');
    violations.stream()
        .limit(MOST_VIOLATIONS)
        .forEach(violation -> text.append("- ").append(violation).append("\n"));
    return text.toString();
  }

  private static <T> Map<String, Long> count(List<T> all, Function<T, String> kind) {
    return all.stream().collect(Collectors.groupingBy(kind, TreeMap::new, Collectors.counting()));
  }

  /** From the start of a database to the next attempt that is through. */
  static LongStream recoveries(Story story) {
    return story.faults().stream()
        .filter(fault -> fault.kind().equals("database restarted"))
        .mapToLong(
            fault ->
                story.over().stream()
                    .mapToLong(Over::at)
                    .filter(at -> at > fault.over())
                    .map(at -> at - fault.over())
                    .min()
                    .orElse(0));
  }

  private static String seconds(LongStream micros) {
    return String.format("%.1f s", micros.max().orElse(0) / 1e6);
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
