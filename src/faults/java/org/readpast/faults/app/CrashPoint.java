package org.readpast.faults.app;

import java.io.File;
import org.jspecify.annotations.Nullable;

/** Marks a place in the engine's code at which the server dies if a file with its name exists. */
public final class CrashPoint {
  private static final @Nullable String DIRECTORY =
      System.getProperty("readpast.faults.crash-points");

  private CrashPoint() {}

  /**
   * Kills the server if this crash point is active. The first thread that arrives removes the file.
   */
  public static void pass(String name) {
    if (DIRECTORY != null && new File(DIRECTORY, name).delete()) {
      Runtime.getRuntime().halt(2);
    }
  }
}
