package org.readpast.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.TestPostgres;

/**
 * Makes a server with a small heap process many tiny jobs, followed by large jobs of the same
 * queue. After the tiny jobs, the server claims many jobs at a time. Each mode has its own server,
 * because a server that ran out of memory says nothing about the next mode.
 */
final class Memory implements Measures {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final List<String> MODES = List.of("leased", "transactional");
  private static final String TWICE = "handled twice";
  private static final String LEFT = "not processed";
  private static final String ERRORS = "OutOfMemoryErrors in the log";
  private static final String LARGEST = "largest PostgreSQL process";
  private static final int TINY = 10;
  private static final int LARGE = 900_000;

  private final TestPostgres postgres;
  private final int workers;
  private final Sizes sizes;

  Memory(TestPostgres postgres, int workers, Sizes sizes) {
    this.postgres = postgres;
    this.workers = workers;
    this.sizes = sizes;
  }

  private static String name(String mode, String what) {
    return "%s, large jobs behind tiny jobs, %s".formatted(mode, what);
  }

  @Override
  public void take(Results results) throws Exception {
    for (String mode : MODES) {
      String server = "memory-" + mode;
      try (Readpast readpast =
          new Readpast(
              server,
              postgres,
              postgres.newDatabase(),
              workers,
              war -> war,
              spec -> spec.withJvmOptions("-Xmx256m"))) {
        work(results, readpast, mode);
        results.add(name(mode, ERRORS), "", outOfMemory(readpast, server));
      }
    }
  }

  private void work(Results results, Readpast readpast, String mode) throws InterruptedException {
    String type = "bench." + mode;
    int tiny = sizes.of(60_000);
    int jobs = tiny + sizes.of(3_000);
    readpast.create(Readpast.QUEUE);
    readpast.pause(Readpast.QUEUE, true);
    readpast.table().fill(Readpast.QUEUE, type, tiny, TINY);
    readpast.table().fill(Readpast.QUEUE, type, jobs - tiny, LARGE);
    readpast.table().vacuum();
    readpast.control("do=reset&ids=" + 2 * jobs);
    long largest;
    try (BackendMemory memory = new BackendMemory(postgres)) {
      readpast.pause(Readpast.QUEUE, false);
      awaitWorked(readpast);
      largest = memory.largest();
    }
    addHandled(results, readpast, mode, jobs);
    if (BackendMemory.isKnown()) {
      results.add(name(mode, LARGEST), "MB", largest / 1e6);
    }
  }

  /**
   * The wait is limited, because a server that runs out of memory is one of the possible results.
   */
  private static void awaitWorked(Readpast readpast) {
    try {
      Await.until(
          LIMIT,
          Duration.ofSeconds(1),
          "no job is left",
          () -> !readpast.server().isAlive() || readpast.table().left(Readpast.QUEUE) == 0);
    } catch (AssertionError e) {
      System.out.println(e.getMessage());
    }
  }

  private static void addHandled(Results results, Readpast readpast, String mode, int jobs) {
    long left = readpast.table().left(Readpast.QUEUE);
    try {
      int known = readpast.ids().size();
      results.add(name(mode, TWICE), "jobs", readpast.seen().jobs() - known);
      left = Math.max(left, jobs - known);
    } catch (IllegalStateException e) {
      System.out.println("the server does not respond: " + e.getMessage());
    }
    results.add(name(mode, LEFT), "jobs", left);
  }

  private static long outOfMemory(Readpast readpast, String server) throws IOException {
    long lines = 0;
    // If no thread of the server catches an error, the JVM writes it to the console.
    for (Path log :
        List.of(readpast.server().log(), BuildDirectories.run(server).resolve("console.log"))) {
      try (var all = Files.lines(log)) {
        lines += all.filter(line -> line.contains("OutOfMemoryError")).count();
      }
    }
    return lines;
  }

  @Override
  public void aim(Results results) {
    for (String mode : MODES) {
      results.atMost(name(mode, TWICE), null, 0);
      results.atMost(name(mode, LEFT), null, 0);
      results.atMost(name(mode, ERRORS), null, 0);
      results.atMost(name(mode, LARGEST), null, 256);
    }
  }
}
