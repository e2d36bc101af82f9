package org.readpast.rest.jobs;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.model.JobSearch;
import org.readpast.model.MaskedFields;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;
import org.readpast.rest.http.RequestException;

/**
 * Decides which callers see which payload fields: viewers do not see the fields in {@code
 * readpast.payload.masked}.
 */
@ApplicationScoped
public class Masking {
  @Inject MaskedFields fields;

  /**
   * Returns the mask for data of a queue that is shown to this caller; create one for each
   * response.
   */
  public PayloadMask of(QueueAccess caller, String queue) {
    return mask(caller.has(Role.OPERATOR, queue));
  }

  /** Returns the mask for data that does not belong to a queue. */
  public PayloadMask of(QueueAccess caller) {
    return mask(caller.scope(Role.OPERATOR).covers(caller.seen()));
  }

  private PayloadMask mask(boolean seesAll) {
    return seesAll ? PayloadMask.NONE : new PayloadMask(fields);
  }

  /**
   * Refuses a search in fields that this caller is not allowed to see, because the result would
   * reveal their values.
   */
  void check(JobSearch search, QueueAccess caller) {
    if (fields.none() || search.payload().isEmpty() || seesAll(search, caller)) {
      return;
    }
    search
        .payload()
        .forEach(
            (path, value) -> {
              if (fields.touch(path) || value.startsWith("{") || value.startsWith("[")) {
                throw RequestException.forbidden(
                    "payload."
                        + RequestException.quote(String.join(".", path))
                        + " is masked for viewers, or contains masked fields; only"
                        + " operators may search it");
              }
            });
  }

  /**
   * Returns true if the caller sees all fields of the jobs that can match. A hidden queue counts
   * like a queue that does not exist, because a refusal would reveal that the queue is restricted.
   */
  private static boolean seesAll(JobSearch search, QueueAccess caller) {
    return search.queues().isEmpty()
        ? caller.scope(Role.OPERATOR).covers(caller.seen())
        : search.queues().stream()
            .filter(caller.seen()::contains)
            .allMatch(queue -> caller.has(Role.OPERATOR, queue));
  }
}
