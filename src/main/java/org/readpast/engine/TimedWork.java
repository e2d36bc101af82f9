package org.readpast.engine;

/** Does work with due times on the listener's thread, in addition to the listener's own tasks. */
public interface TimedWork {
  /**
   * Does the work that is due; called several times a second.
   *
   * @param changed true if a schedule has changed since the last round
   */
  void round(boolean changed);

  /** Makes the next round query the database. */
  void reload();

  /** Returns when the next round has work to do, as a value of {@link System#nanoTime}. */
  long next();
}
