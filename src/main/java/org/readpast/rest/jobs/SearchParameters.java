package org.readpast.rest.jobs;

import jakarta.ws.rs.QueryParam;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.JobSearch;
import org.readpast.model.Names;
import org.readpast.rest.http.Parameters;

/**
 * Holds the conditions of a job search: the search text and the individual parameters; a job must
 * match all of them.
 */
public class SearchParameters {
  @QueryParam("q")
  @Nullable String typed;

  @QueryParam("queue")
  @Nullable String queue;

  @QueryParam("type")
  @Nullable String type;

  @QueryParam("state")
  @Nullable String state;

  JobSearch read() {
    return search(typed, queue, type, Parameters.state(state, Parameters.allStates()));
  }

  static JobSearch search(
      @Nullable String typed,
      @Nullable String queue,
      @Nullable String type,
      @Nullable JobState state) {
    if (queue != null) {
      Names.checkQueue(queue);
    }
    if (type != null) {
      Names.checkType(type);
    }
    JobSearch search = typed == null ? JobSearch.ANY : JobSearch.parse(typed);
    return search.and(queue, type, state);
  }
}
