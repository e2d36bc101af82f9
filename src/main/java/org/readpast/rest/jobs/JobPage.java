package org.readpast.rest.jobs;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.rest.http.Cursor;

/** Holds a page of jobs and the cursor of the next page. */
public record JobPage(List<JobAnswer> jobs, @Nullable String next, Searched searched) {

  /**
   * Reports how far a search has got.
   *
   * @param jobs the number of jobs examined for this page
   * @param until when the last of them was enqueued; null: there are no more
   * @param complete false: the time limit was reached before the page was full, and the search
   *     continues at {@code next}
   * @param overlooksEncrypted true if encrypted jobs that were not found may match, because
   *     encrypted content cannot be searched
   */
  public record Searched(
      long jobs, @Nullable Instant until, boolean complete, boolean overlooksEncrypted) {}

  static JobPage of(Browser.Found found, int limit) {
    Long next = found.next();
    return new JobPage(
        found.jobs().stream()
            .map(job -> JobAnswer.listed(job, found.failures().get(job.id())))
            .toList(),
        next == null ? null : Cursor.below(next),
        new Searched(
            found.searched(),
            found.until(),
            next == null || found.jobs().size() == limit,
            found.overlooksEncrypted()));
  }
}
