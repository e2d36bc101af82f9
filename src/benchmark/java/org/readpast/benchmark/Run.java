package org.readpast.benchmark;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.readpast.support.Command;

/**
 * The measured code, the time, the machine and the size of a run.
 *
 * @param commit with the suffix {@code -changed} if files differed from the commit
 * @param size the factor that the numbers of jobs were multiplied by
 */
record Run(String commit, Instant date, Machine machine, int rounds, double size) {

  static Run now(Machine machine, int rounds, double size) {
    return new Run(head(), Instant.now().truncatedTo(ChronoUnit.SECONDS), machine, rounds, size);
  }

  /** Returns the day, in UTC. */
  String day() {
    return date.toString().substring(0, 10);
  }

  private static String head() {
    try {
      var head = Command.run(List.of("git", "rev-parse", "--short=12", "HEAD"));
      return head.exitCode() == 0
          ? head.output().strip() + (changed() ? "-changed" : "")
          : "unknown";
    } catch (UncheckedIOException e) {
      // Git is missing: the benchmark also runs from an archive of the sources.
      return "unknown";
    }
  }

  private static boolean changed() {
    // A kept run has changed the history, but not the measured code.
    var status =
        List.of(
            "git",
            "status",
            "--porcelain",
            "--untracked-files=no",
            "--",
            ".",
            ":(exclude)" + History.FILE);
    return !Command.run(status).output().isBlank();
  }
}
