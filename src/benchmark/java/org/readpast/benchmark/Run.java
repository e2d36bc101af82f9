package org.readpast.benchmark;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.readpast.support.Command;

/**
 * Which code was measured, when, on what, and how.
 *
 * @param commit with {@code -changed} behind it if the files were not as committed
 * @param size what the numbers of jobs were multiplied by
 */
record Run(String commit, Instant date, Machine machine, int rounds, double size) {

  static Run now(Machine machine, int rounds, double size) {
    return new Run(head(), Instant.now().truncatedTo(ChronoUnit.SECONDS), machine, rounds, size);
  }

  /** The day, in UTC. */
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
      // There is no git: the benchmark runs from an archive of the sources too.
      return "unknown";
    }
  }

  private static boolean changed() {
    // A run that was kept has changed the history, but not what is measured.
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
