package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.store.TransientErrors;

/** Logs failures of operations that are retried. */
final class EngineLog {
  private EngineLog() {}

  /**
   * Logs a failure as a WARNING. If the database is unavailable, the entry is a single line: every
   * operation then fails repeatedly, and stack traces would hide the rest of the log.
   */
  static void warn(Logger log, String what, Throwable why) {
    log(log, Level.WARNING, what, why);
  }

  static void log(Logger log, Level level, String what, Throwable why) {
    if (why instanceof DatabaseUnavailableException || TransientErrors.isTransient(why)) {
      log.log(level, what + ": " + rootOf(why));
    } else {
      log.log(level, what, why);
    }
  }

  static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    for (int depth = 0; root.getCause() != null && depth < 50; depth++) {
      root = root.getCause();
    }
    return root;
  }
}
