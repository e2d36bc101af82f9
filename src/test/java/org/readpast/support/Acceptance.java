package org.readpast.support;

/** Determines the size of acceptance tests: small by default, full with {@code -Pacceptance}. */
public final class Acceptance {
  private Acceptance() {}

  /** Returns true if the tests run in full size. */
  public static boolean full() {
    return "full".equals(System.getProperty("readpast.acceptance"));
  }

  /** Returns the number for the size in which the tests run. */
  public static int size(int small, int full) {
    return full() ? full : small;
  }
}
