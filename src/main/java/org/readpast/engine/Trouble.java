package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.readpast.store.DatabaseUnavailableException;
import org.readpast.store.TransientErrors;

/** Tells of what failed and is tried again. */
public final class Trouble {
  private Trouble() {}

  /**
   * In one line when it is the database that is away: then everything fails at once and again and
   * again, and traces would bury the rest of the log.
   */
  public static void warn(Logger log, String what, Throwable why) {
    if (why instanceof DatabaseUnavailableException || TransientErrors.isTransient(why)) {
      log.log(Level.WARNING, what + ": " + rootOf(why));
    } else {
      log.log(Level.WARNING, what, why);
    }
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    for (int depth = 0; root.getCause() != null && depth < 50; depth++) {
      root = root.getCause();
    }
    return root;
  }
}
