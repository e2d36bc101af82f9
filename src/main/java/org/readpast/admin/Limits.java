package org.readpast.admin;

/**
 * How much one request may carry.
 *
 * @param payloadBytes of one job's payload, in UTF-8
 * @param requestBytes of a whole request
 * @param jobs in one request
 */
public record Limits(int payloadBytes, int requestBytes, int jobs) {
  /** One MiB for each payload, 32 MiB and 10,000 jobs for a request. */
  public static final Limits DEFAULT = ofPayload(1 << 20);

  /**
   * Of a request that is one object: a payload, three times as long as it may be where its letters
   * are escaped, and what stands beside it.
   */
  public int objectBytes() {
    return (int) Math.min(requestBytes, 3L * payloadBytes + (1 << 20));
  }

  /** With another limit for payloads. */
  public static Limits ofPayload(int payloadBytes) {
    return new Limits(payloadBytes, Math.max(32 << 20, payloadBytes + (1 << 20)), 10_000);
  }
}
