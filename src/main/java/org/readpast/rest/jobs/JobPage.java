package org.readpast.rest.jobs;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.model.SearchOrder;
import org.readpast.rest.http.Cursor;

/** Holds a page of jobs and the cursor of the next page. */
public record JobPage(List<JobAnswer> jobs, @Nullable String next, Searched searched) {

  /**
   * Reports the progress of a search.
   *
   * @param jobs the number of jobs that were examined for this page
   * @param until when the last examined job was enqueued, or null if there are no more jobs
   * @param complete false if the time limit was reached before the page was full, so that the
   *     search continues at {@code next}
   * @param overlooksEncrypted true if encrypted jobs may match that were not found, because
   *     encrypted content cannot be searched
   */
  public record Searched(
      long jobs, @Nullable Instant until, boolean complete, boolean overlooksEncrypted) {}

  static JobPage of(Browser.Found found, SearchOrder order, int limit) {
    Long next = found.next();
    return new JobPage(
        found.jobs().stream()
            .map(job -> JobAnswer.listed(job, found.failures().get(job.id())))
            .toList(),
        next == null ? null : Cursor.after(order, next),
        new Searched(
            found.searched(),
            found.until(),
            next == null || found.jobs().size() == limit,
            found.overlooksEncrypted()));
  }
}
