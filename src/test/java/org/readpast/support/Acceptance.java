package org.readpast.support;

/** The size of an acceptance test: small unless it is asked for, full with {@code -Pacceptance}. */
public final class Acceptance {
  private Acceptance() {}

  /** Whether the tests run in their full sizes. */
  public static boolean full() {
    return "full".equals(System.getProperty("readpast.acceptance"));
  }

  /** One number for the small one, another for the full size. */
  public static int size(int small, int full) {
    return full() ? full : small;
  }
}
