package org.readpast.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What becomes of a job after an attempt. */
public sealed interface Outcome {
  /**
   * It ends as COMPLETED.
   *
   * @param result what the handler gave, as JSON; null: nothing
   */
  record Completed(@Nullable String result) implements Outcome {}

  /**
   * It is tried again.
   *
   * @param pause how long to wait
   * @param counted whether the attempt counts against the maximum
   * @param failure what is kept of the attempt
   */
  record Retry(Duration pause, boolean counted, Failure failure) implements Outcome {}

  /** It waits for a node that can read its payload: its handler was not called. */
  record Unreadable(Failure failure) implements Outcome {}

  /** It ends as DISCARDED. */
  record Discarded(Failure failure) implements Outcome {}

  /** Nothing: it is no longer this node's, or somebody else has said already. */
  record NotOurs() implements Outcome {}

  /** It ends as CANCELLED, as somebody had asked. */
  record Cancelled(Failure failure) implements Outcome {}
}
