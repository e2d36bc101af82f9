package org.readpast.rest;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;

/** Some jobs, and where the next ones are. */
public record JobPage(List<JobAnswer> jobs, @Nullable String next, Searched searched) {

  /**
   * How far a search has come.
   *
   * @param jobs how many it has looked at for this page
   * @param until when the last of them was enqueued; null: there are no more
   * @param complete false: its time was over before the page was full, and it goes on at {@code
   *     next}
   * @param overlooksEncrypted whether encrypted jobs may match that were not found: nobody can
   *     search in what is encrypted
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
