package org.readpast.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.store.JobView;

/** Some jobs, and where the next ones are. */
public record JobPage(List<JobAnswer> jobs, @Nullable String next) {

  /** The first ones of what was found; one more tells that there is another page. */
  static JobPage of(List<JobView> found, int limit) {
    List<JobView> shown = found.subList(0, Math.min(limit, found.size()));
    return new JobPage(
        shown.stream().map(JobAnswer::listed).toList(),
        found.size() > limit ? Cursor.below(shown.get(limit - 1).id()) : null);
  }
}
