package org.readpast.engine;

/** Work that the listener does when it is due, in addition to its own. */
public interface TimedWork {
  /**
   * Does what is due; called several times a second.
   *
   * @param changed true if a schedule has changed since the last round
   */
  void round(boolean changed);

  /** Makes the next round query the database. */
  void reload();

  /** Returns when the next round has something to do, in terms of {@link System#nanoTime}. */
  long next();
}
