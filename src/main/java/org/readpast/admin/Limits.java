package org.readpast.admin;

/**
 * Limits the size of a request.
 *
 * @param payloadBytes the maximum size of the payload of one job, in UTF-8
 * @param requestBytes the maximum size of a whole request
 * @param jobs the maximum number of jobs in one request
 */
public record Limits(int payloadBytes, int requestBytes, int jobs) {
  /** Returns the default limits: 1 MiB for a payload, and 32 MiB and 10,000 jobs for a request. */
  public static final Limits DEFAULT = ofPayload(1 << 20);

  /**
   * Returns the maximum size of a request for one object: the other fields, and a payload that may
   * be three times as large if its characters are escaped.
   */
  public int objectBytes() {
    return (int) Math.min(requestBytes, 3L * payloadBytes + (1 << 20));
  }

  /** Returns the limits for a given maximum payload size. */
  public static Limits ofPayload(int payloadBytes) {
    return new Limits(payloadBytes, Math.max(32 << 20, payloadBytes + (1 << 20)), 10_000);
  }
}
