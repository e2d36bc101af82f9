package org.readpast.model;

/** Deals a limit out to those who want a part of it. */
public final class Shares {
  private Shares() {}

  /**
   * As evenly as can be, and nobody gets more than is wanted; what does not divide evenly goes to
   * those who come first.
   *
   * @param wanted what each wants
   * @param first whose turn it is first
   */
  public static int[] of(int limit, int[] wanted, int first) {
    int[] shares = new int[wanted.length];
    int left = limit;
    boolean dealt = true;
    while (left > 0 && dealt) {
      dealt = false;
      for (int i = 0; i < wanted.length && left > 0; i++) {
        int who = Math.floorMod(first + i, wanted.length);
        if (shares[who] < wanted[who]) {
          shares[who]++;
          left--;
          dealt = true;
        }
      }
    }
    return shares;
  }
}
