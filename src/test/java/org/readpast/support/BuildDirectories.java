package org.readpast.support;

import java.nio.file.Path;

/**
 * Finds the directories of the build, which are relative to the project unless the build specifies
 * others.
 */
public final class BuildDirectories {
  private BuildDirectories() {}

  /**
   * Returns the directory that contains the unpacked servers, the driver, and the directories of
   * running servers.
   */
  public static Path servers() {
    return Path.of(System.getProperty("servers.directory", "target/servers")).toAbsolutePath();
  }

  public static Path war() {
    return Path.of("target/readpast.war").toAbsolutePath();
  }

  /** Returns the jar that applications include as a library. */
  public static Path libraryJar() {
    return Path.of("target/readpast-lib.jar").toAbsolutePath();
  }

  /**
   * Returns the directory of earlier versions of Readpast, each of which is built in its own
   * directory.
   */
  public static Path previousVersions() {
    return Path.of("target/previous").toAbsolutePath();
  }

  public static Path serverConfig() {
    return Path.of("server-config").toAbsolutePath();
  }

  /** Returns the directory that contains only the PostgreSQL driver. */
  public static Path driver() {
    return servers().resolve("jdbc");
  }

  /** Returns the directory of a server process. */
  public static Path run(String name) {
    return servers().resolve("run").resolve(name);
  }
}
