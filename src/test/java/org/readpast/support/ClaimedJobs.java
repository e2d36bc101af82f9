package org.readpast.support;

import java.time.Instant;
import java.util.List;
import org.readpast.model.Principal;
import org.readpast.store.ClaimedJob;

/** Jobs in a node's hands, without a database. */
public final class ClaimedJobs {
  private ClaimedJobs() {}

  /** A leased one, whose position is its id, with every header at its default. */
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
