package org.readpast.support;

import java.time.Instant;
import java.util.List;
import org.readpast.model.Principal;
import org.readpast.store.ClaimedJob;

/** Creates jobs that look as if a node had leased them, without a database. */
public final class ClaimedJobFactory {
  private ClaimedJobFactory() {}

  /** Creates a leased job with default headers, whose position is its id. */
  public static ClaimedJob leased(long id, String queue, String type, int attempt) {
    Instant now = Instant.now();
    return new ClaimedJob(
        id,
        queue,
        type,
        4,
        id,
        1,
        attempt,
        0,
        null,
        null,
        now,
        now,
        false,
        null,
        null,
        null,
        "{}",
        now,
        null,
        Principal.NOBODY,
        1,
        null,
        null,
        List.of());
  }
}
