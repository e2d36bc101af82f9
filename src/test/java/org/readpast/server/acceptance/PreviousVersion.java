package org.readpast.server.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opentest4j.TestAbortedException;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Command;
import org.readpast.support.MavenCommand;

/**
 * Builds an earlier version of Readpast from git. The property {@code readpast.upgrade.from} names
 * this version. The default is the last tag {@code v*} before this commit, or, if there is no tag,
 * the commit that last changed the tables: before the first release, changes to the tables replace
 * earlier ones, so older tables cannot be upgraded.
 */
final class PreviousVersion {
  private static final String TABLES = "liquibase";
  private static final String WAY_OUT =
      "; fetch the whole history (git fetch --unshallow --tags), or name a commit that is here with"
          + " -Dreadpast.upgrade.from";

  private PreviousVersion() {}

  /** Holds the files of a build of Readpast. */
  record Build(Path war, Path libraryJar) {
    /** Returns the build under test. */
    static Build current() {
      return new Build(BuildDirectories.war(), BuildDirectories.libraryJar());
    }
  }

  /**
   * Builds the version unless a build exists, and skips the test if its commit is not available.
   */
  static Build build() {
    String commit = commit();
    Path directory = BuildDirectories.previousVersions().resolve(commit);
    Build build =
        new Build(
            directory.resolve("target/readpast.war"), directory.resolve("target/readpast-lib.jar"));
    if (!Files.exists(build.war()) || !Files.exists(build.libraryJar())) {
      extract(commit, directory);
      Path maven = MavenCommand.in(directory.resolveSibling("tools"));
      Command.runOrFail(
          List.of(maven.toString(), "--quiet", "package", "-Dmaven.test.skip=true"),
          directory,
          Map.of());
    }
    return build;
  }

  private static void extract(String commit, Path directory) {
    directory.toFile().mkdirs();
    Path archive = directory.resolveSibling(commit + ".tar");
    Command.runOrFail(
        List.of("git", "archive", "--output=" + archive, commit), Path.of("."), Map.of());
    Command.runOrFail(
        List.of("tar", "-xf", archive.toString(), "-C", directory.toString()),
        Path.of("."),
        Map.of());
  }

  private static String commit() {
    String given = System.getProperty("readpast.upgrade.from", "");
    String revision = given.isEmpty() ? lastRelease() : given;
    Command.Result found = git("rev-parse", "--verify", "--quiet", revision + "^{commit}");
    if (found.exitCode() != 0) {
      throw skipped("the commit " + revision + " is not in this clone" + WAY_OUT);
    }
    return found.output().trim();
  }

  private static String lastRelease() {
    if (git("rev-parse", "--git-dir").exitCode() != 0) {
      throw skipped("this is no git repository" + WAY_OUT);
    }
    Command.Result tag = git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^");
    return tag.exitCode() == 0
        ? tag.output().trim()
        : git("log", "--format=%H", "-1", "--", TABLES).output().trim();
  }

  private static TestAbortedException skipped(String why) {
    // The reason is printed here, because Failsafe counts skipped tests without their reasons.
    System.out.println("[WARNING] the upgrade from the previous version is not tested: " + why);
    return new TestAbortedException(why);
  }

  private static Command.Result git(String... arguments) {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    return Command.run(command);
  }
}
