package org.readpast.benchmark;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.readpast.support.Command;

/**
 * Describes the code that was measured, and the time, the machine and the size of a run.
 *
 * @param commit the commit, with the suffix {@code -changed} if files differed from it
 * @param size the factor by which the numbers of jobs were multiplied
 */
record Run(String commit, Instant date, Machine machine, int rounds, double size) {

  static Run now(Machine machine, int rounds, double size) {
    return new Run(head(), Instant.now().truncatedTo(ChronoUnit.SECONDS), machine, rounds, size);
  }

  /** Returns the date of the run, in UTC. */
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
      // Git may be missing, because the benchmark can also run from an archive of the sources.
      return "unknown";
    }
  }

  private static boolean changed() {
    // A run that was stored has changed the history, but not the code that was measured.
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
