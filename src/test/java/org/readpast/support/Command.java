package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs an operating-system command until it ends. */
public final class Command {
  private Command() {}

  /** Holds the exit code, and the output of both streams. */
  public record Result(int exitCode, String output) {}

  public static Result run(List<String> command) {
    return run(command, Path.of("."), Map.of());
  }

  public static Result run(List<String> command, Path directory, Map<String, String> environment) {
    try {
      // The output is written to a file, because a daemon that the command starts would keep a pipe
      // open.
      var output = Files.createTempFile("readpast-command", ".log");
      try {
        var builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        var process = builder.start();
        process.getOutputStream().close();
        int exitCode = process.waitFor();
        return new Result(exitCode, Files.readString(output, StandardCharsets.UTF_8));
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: " + command, e);
    }
  }

  /** Sends a signal, such as {@code STOP}, to a process. */
  public static void signal(String name, String process) {
    runOrFail(List.of("kill", "-" + name, process), Path.of("."), Map.of());
  }

  /** Runs a command, and fails unless it succeeds. */
  public static String runOrFail(
      List<String> command, Path directory, Map<String, String> environment) {
    var result = run(command, directory, environment);
    if (result.exitCode() != 0) {
      throw new IllegalStateException(
          "exit code " + result.exitCode() + " from " + command + "\n" + result.output());
    }
    return result.output();
  }
}
