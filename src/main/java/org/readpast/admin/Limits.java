package org.readpast.admin;

/**
 * Limits the size of one request.
 *
 * @param payloadBytes the maximum size of one job's payload, in UTF-8
 * @param requestBytes the maximum size of a whole request
 * @param jobs the maximum number of jobs in one request
 */
public record Limits(int payloadBytes, int requestBytes, int jobs) {
  /** Allows one MiB for each payload, and 32 MiB and 10,000 jobs for a request. */
  public static final Limits DEFAULT = ofPayload(1 << 20);

  /**
   * Returns the maximum size of a request that is one object: a payload, which may take three times
   * its maximum size if its characters are escaped, and the other fields.
   */
  public int objectBytes() {
    return (int) Math.min(requestBytes, 3L * payloadBytes + (1 << 20));
  }

  /** Returns the limits for a maximum payload size. */
  public static Limits ofPayload(int payloadBytes) {
    return new Limits(payloadBytes, Math.max(32 << 20, payloadBytes + (1 << 20)), 10_000);
  }
}
