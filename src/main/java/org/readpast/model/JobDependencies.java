package org.readpast.model;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.api.GroupFailure;
import org.readpast.api.PredecessorFailure;

/**
 * Where a job stands among others: its group, its batch and wave, the jobs that it comes after.
 *
 * @param wave of the batch; 0 without one
 * @param ref what it is called within one call
 * @param after ids of predecessors
 * @param afterRefs what predecessors of the same call are called
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

  /** Of a job that waits for no other. */
  public static final JobDependencies ALONE =
      new JobDependencies(
          null, GroupFailure.SKIP, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD);

  /** Of a job that belongs to a wave, and waits for no other. */
  public static JobDependencies inBatch(String name, int wave) {
    return new JobDependencies(
        null, GroupFailure.SKIP, name, wave, null, List.of(), List.of(), PredecessorFailure.HOLD);
  }

  /** Refuses what cannot be the key of a group. */
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
        "it is part of an address: begin and end it with something other than a slash, and have no"
            + " part between slashes that is empty or only dots, and not as last one graph, seal,"
            + " skip, hold, release or cancellation");
    NewJob.text("ref", ref);
    NewJob.rule(wave >= 0, "wave", wave, "give 0 (first) or more");
    NewJob.rule(wave == 0 || batch != null, "wave", wave, "name the batch that it belongs to");
    NewJob.rule(
        after.size() + afterRefs.size() <= MOST_PREDECESSORS,
        "number of predecessors",
        after.size() + afterRefs.size(),
        "give at most " + MOST_PREDECESSORS + "; a job in between can stand for many");
    after = once(after);
    afterRefs = once(afterRefs);
  }

  private static <T> List<T> once(List<T> named) {
    // Nearly always there is none, and a stream costs a tenth of all that is checked.
    return named.isEmpty() ? List.of() : named.stream().distinct().toList();
  }

  /** Whether it comes after others. */
  public boolean follows() {
    return !after.isEmpty() || !afterRefs.isEmpty();
  }

  /** Whether it neither waits for others nor is named by them. */
  public boolean alone() {
    return ref == null && waitsFor() == null;
  }

  /** What it waits for first; null: for nothing. */
  public @Nullable String waitsFor() {
    if (follows()) {
      return "PREDECESSOR";
    }
    return batch != null ? "WAVE" : group != null ? "GROUP" : null;
  }
}
