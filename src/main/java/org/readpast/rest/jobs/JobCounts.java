package org.readpast.rest.jobs;

import java.util.EnumMap;
import java.util.Map;
import org.readpast.admin.Browser;
import org.readpast.api.JobState;
import org.readpast.model.JobSearch;

/**
 * Holds the number of jobs in a state.
 *
 * @param exact false if the number is a lower bound or an estimate by the database
 */
public record JobCounts(long count, boolean exact) {

  /** Returns the numbers of jobs by state, including 0. */
  static Map<JobState, JobCounts> of(JobSearch search, Browser browser) {
    Map<JobState, JobCounts> counts = new EnumMap<>(JobState.class);
    if (search.equals(JobSearch.ANY)) {
      browser
          .totals()
          .forEach(
              (state, total) -> counts.put(state, new JobCounts(total.count(), total.exact())));
      return counts;
    }
    browser
        .counts(search)
        .forEach(
            (state, count) -> counts.put(state, new JobCounts(count.jobs(), count.complete())));
    return counts;
  }
}
