package org.readpast.engine;

/** Work that the listener does at its moments, beside its own. */
public interface TimedWork {
  /**
   * Does what is due; called several times a second.
   *
   * @param changed whether a schedule has changed since the last round
   */
  void round(boolean changed);

  /** Asks the database in the next round. */
  void askAnew();

  /** When the next round has something to do, by {@link System#nanoTime}. */
  long next();
}
