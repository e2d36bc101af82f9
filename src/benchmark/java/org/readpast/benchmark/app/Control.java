package org.readpast.benchmark.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of the benchmark in the application: {@code ?do=...}, with a response of
 * one line.
 */
@WebServlet("/control")
public class Control extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Inject transient @Nullable Progress progress;
  @Inject transient @Nullable Sender sender;
  @Inject transient @Nullable Orders orders;
  @Resource transient @Nullable ManagedExecutorService executor;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      response.getWriter().print(run(request));
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private String run(HttpServletRequest request) throws Exception {
    String queue = request.getParameter("queue");
    return switch (request.getParameter("do")) {
      case "reset" -> {
        progress.reset(number(request, "mark"), number(request, "ids"));
        yield "";
      }
      case "pause" -> {
        progress.pause(number(request, "millis"));
        yield "";
      }
      case "report" -> progress.tally().report();
      case "pace" -> progress.tally().pace();
      case "ids" -> progress.tally().ids();
      case "heap" -> heap();
      case "singly" ->
          timed(
              number(request, "jobs"),
              number(request, "threads"),
              () -> sender.send(queue, new Work.Leased(Sender.TEXT, 0)));
      case "alone" ->
          timed(
              number(request, "jobs"),
              number(request, "threads"),
              () -> sender.sendAlone(queue, new Work.Leased(Sender.TEXT, 0)));
      case "orders" ->
          timed(number(request, "jobs"), number(request, "threads"), () -> orders.take(queue));
      case "bulk" -> bulk(queue, number(request, "jobs"));
      case "types" -> {
        for (int i = 0; i < number(request, "queues"); i++) {
          sender.sendOfEachType(queue + i, number(request, "types"));
        }
        yield "";
      }
      case "grouped" -> {
        sender.sendGrouped(queue, number(request, "jobs"), number(request, "groups"));
        yield "";
      }
      case "waves" -> {
        sender.sendInWaves(
            request.getParameter("batch"),
            queue,
            number(request, "jobs"),
            number(request, "waves"));
        yield "";
      }
      case "paced" ->
          paced(
              queue,
              "bench.leased".equals(request.getParameter("type")),
              number(request, "jobs"),
              number(request, "rate"));
      default -> throw new IllegalArgumentException(request.getQueryString());
    };
  }

  private static int number(HttpServletRequest request, String name) {
    String value = request.getParameter(name);
    return value == null ? 0 : Integer.parseInt(value);
  }

  /** Returns the used bytes after a garbage collection. */
  private static String heap() {
    // A second collection frees what the first one has only found to be unreachable, such as
    // buffers and soft references.
    System.gc();
    System.gc();
    return Long.toString(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  /** Runs one transaction for each job, and returns the time in nanoseconds. */
  private String timed(int jobs, int threads, Runnable step) throws Exception {
    long start = System.nanoTime();
    List<Future<?>> running = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      running.add(
          executor.submit(
              () -> {
                for (int i = 0; i < jobs / threads; i++) {
                  step.run();
                }
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    return Long.toString(System.nanoTime() - start);
  }

  private String bulk(String queue, int jobs) {
    long start = System.nanoTime();
    sender.sendAll(queue, jobs);
    return Long.toString(System.nanoTime() - start);
  }

  private String paced(String queue, boolean leased, int jobs, int rate) {
    long gap = TimeUnit.SECONDS.toNanos(1) / rate;
    long next = System.nanoTime();
    for (int i = 0; i < jobs; i++) {
      for (long wait = next - System.nanoTime(); wait > 0; wait = next - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      long now = Progress.now();
      sender.send(
          queue,
          leased ? new Work.Leased(Sender.TEXT, now) : new Work.Transactional(Sender.TEXT, now));
      next += gap;
    }
    return "";
  }
}
