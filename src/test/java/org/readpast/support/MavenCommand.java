package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writes a script {@code mvn} that calls the Maven of this build with the local repository of this
 * build. The script is offline if this build is. Failsafe passes the settings as system properties.
 */
public final class MavenCommand {
  private MavenCommand() {}

  /** Writes the script to a directory, and returns the path of the script. */
  public static Path in(Path directory) {
    String repository = System.getProperty("localRepository", "");
    boolean offline = System.getProperty("readpast.upgrade.network", "").equals("offline: true");
    try {
      Files.createDirectories(directory);
      Path script =
          Files.writeString(
              directory.resolve("mvn"),
              "#!/bin/sh\nexec \"%s\" --batch-mode %s %s \"$@\"\n"
                  .formatted(
                      System.getProperty("readpast.upgrade.maven", "mvn"),
                      repository.isEmpty() ? "" : "\"-Dmaven.repo.local=" + repository + "\"",
                      offline ? "--offline" : ""));
      if (!script.toFile().setExecutable(true)) {
        throw new IllegalStateException(script + " could not be made executable");
      }
      return script;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the environment of a shell in which {@code mvn} is the script that this method writes
   * to the directory, and {@code java} is the Java of this build.
   */
  public static Map<String, String> environment(Path directory) {
    String home = System.getProperty("java.home");
    in(directory);
    return Map.of(
        "JAVA_HOME",
        home,
        "PATH",
        directory.toAbsolutePath() + ":" + home + "/bin:" + System.getenv("PATH"));
  }
}
