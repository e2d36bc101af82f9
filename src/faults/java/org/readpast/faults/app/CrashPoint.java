package org.readpast.faults.app;

import java.io.File;
import org.jspecify.annotations.Nullable;

/** A place in the engine's code at which the server dies as soon as a file of its name is there. */
public final class CrashPoint {
  private static final @Nullable String DIRECTORY =
      System.getProperty("readpast.faults.crash-points");

  private CrashPoint() {}

  /** Whoever comes by here dies if that is wanted, and only the first. */
  public static void pass(String name) {
    if (DIRECTORY != null && new File(DIRECTORY, name).delete()) {
      Runtime.getRuntime().halt(2);
    }
  }
}
