package org.readpast.server.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;

/** Lets a test define what a handler does, and read what it has recorded. */
@ApplicationScoped
public class Script {
  private final Map<String, Step> steps = new ConcurrentHashMap<>();
  private final Map<String, List<Object>> seen = new ConcurrentHashMap<>();

  /** Contains the code that a handler runs. */
  @FunctionalInterface
  public interface Step {
    JobResult run(JobContext context) throws Exception;
  }

  public void plan(String name, Step step) {
    steps.put(name, step);
  }

  JobResult run(String name, JobContext context) throws Exception {
    Step step = steps.get(name);
    return step == null ? JobResult.done() : step.run(context);
  }

  public void saw(String name, Object what) {
    seen.computeIfAbsent(name, n -> new CopyOnWriteArrayList<>()).add(what);
  }

  public List<Object> seen(String name) {
    return seen.getOrDefault(name, List.of());
  }
}
