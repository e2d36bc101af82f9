package org.readpast.model;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.api.GroupFailure;
import org.readpast.api.PredecessorFailure;

/**
 * Describes how a job depends on other jobs: its group, its batch and wave, and its predecessors.
 *
 * @param wave the wave of the batch; 0 without a batch
 * @param ref the name of the job within one enqueue call
 * @param after the ids of predecessors
 * @param afterRefs the names of predecessors in the same enqueue call
 */
public record JobDependencies(
    @Nullable String group,
    GroupFailure groupFailure,
    @Nullable String batch,
    int wave,
    @Nullable String ref,
    List<Long> after,
    List<String> afterRefs,
    PredecessorFailure predecessorFailure) {

  /** Describes the dependencies of a job that waits for no other jobs. */
  public static final JobDependencies ALONE =
      new JobDependencies(
          null, GroupFailure.SKIP, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD);

  /**
   * Returns the dependencies of a job that belongs to a wave and has neither a group nor
   * predecessors.
   */
  public static JobDependencies inBatch(String name, int wave) {
    return new JobDependencies(
        null, GroupFailure.SKIP, name, wave, null, List.of(), List.of(), PredecessorFailure.HOLD);
  }

  /** Refuses a string that is not a valid key of a group. */
  public static void checkGroup(String key) {
    NewJob.text("group", key);
  }

  private static final Pattern NO_ADDRESS =
      Pattern.compile("(^|/)\\.*(/|$)|\\\\|/(graph|seal|skip|hold|release|cancellation)$");
  private static final int MOST_PREDECESSORS = 1_000;

  public JobDependencies {
    NewJob.text("group", group);
    NewJob.text("batch", batch);
    NewJob.rule(
        batch == null || !NO_ADDRESS.matcher(batch).find(),
        "batch",
        batch,
        "the name is part of a URL: it must not contain a backslash, begin or end with a slash,"
            + " have a part between slashes that is empty or consists of dots, or end with"
            + " /graph, /seal, /skip, /hold, /release or /cancellation");
    NewJob.text("ref", ref);
    NewJob.rule(wave >= 0, "wave", wave, "specify 0 (first) or more");
    NewJob.rule(
        wave == 0 || batch != null, "wave", wave, "name the batch that the wave belongs to");
    NewJob.rule(
        after.size() + afterRefs.size() <= MOST_PREDECESSORS,
        "number of predecessors",
        after.size() + afterRefs.size(),
        "specify at most " + MOST_PREDECESSORS + "; let a job in between wait for many of them");
    after = once(after);
    afterRefs = once(afterRefs);
  }

  private static <T> List<T> once(List<T> named) {
    // The list is nearly always empty; streaming it would take a tenth of the time of all checks.
    return named.isEmpty() ? List.of() : named.stream().distinct().toList();
  }

  /** Returns true if the job has predecessors. */
  public boolean follows() {
    return !after.isEmpty() || !afterRefs.isEmpty();
  }

  /** Returns true if the job neither waits for other jobs nor is a predecessor in the same call. */
  public boolean alone() {
    return ref == null && waitsFor() == null;
  }

  /** Returns what the job waits for first, or null if it waits for nothing. */
  public @Nullable String waitsFor() {
    if (follows()) {
      return "PREDECESSOR";
    }
    return batch != null ? "WAVE" : group != null ? "GROUP" : null;
  }
}
