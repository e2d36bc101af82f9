package org.readpast.support;

import java.nio.file.Path;

/** Where the build put things; relative to the project, unless the build says otherwise. */
public final class BuildDirectories {
  private BuildDirectories() {}

  /** The unpacked servers, the driver, and the directories of running servers. */
  public static Path servers() {
    return Path.of(System.getProperty("readpast.servers", "target/servers")).toAbsolutePath();
  }

  public static Path war() {
    return Path.of("target/readpast.war").toAbsolutePath();
  }

  /** What applications put among their libraries. */
  public static Path libraryJar() {
    return Path.of("target/readpast-lib.jar").toAbsolutePath();
  }

  /** Earlier versions of Readpast, each built in a directory of its own. */
  public static Path previousVersions() {
    return Path.of("target/previous").toAbsolutePath();
  }

  public static Path serverConfig() {
    return Path.of("server-config").toAbsolutePath();
  }

  /** Holds the PostgreSQL driver alone. */
  public static Path driver() {
    return servers().resolve("jdbc");
  }

  /** The directory of one server process. */
  public static Path run(String name) {
    return servers().resolve("run").resolve(name);
  }
}
