package org.readpast.database;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.model.Causes;

/**
 * Tracks whether the database is unavailable to this engine. Every failure of the database is
 * reported to this object. The beginning and the end of an outage are logged once, and failures in
 * between at DEBUG.
 *
 * <p>An outage also prevents the receivers of a node from polling an unavailable database one by
 * one: after an error, all receivers pause, longer each time.
 */
public final class Outage {
  private static final Logger LOG = System.getLogger(Outage.class.getName());
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  // A database that restarts or fails over may respond and then fail again; both failures count as
  // one outage. If the database fails soon after an outage, it must respond for longer before the
  // new outage ends.
  private static final long STEADY_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long LONGEST_STEADY_NANOS = Duration.ofSeconds(60).toNanos();

  private final String application;
  private final String node;
  private final LongSupplier nanos;

  // This class has more than six mutable fields: they record when the last outage of the database
  // began and when it ended.
  private volatile boolean lasts;
  private volatile boolean unavailable;
  private long began;
  private long answered;
  private long ended;
  private long steady = STEADY_NANOS;
  private boolean endedOnce;

  private int failures;
  private volatile boolean paused;
  private volatile long until;

  /**
   * Creates the object for one engine; log entries identify the engine by its application and its
   * node.
   */
  public Outage(String application, String node) {
    this(application, node, System::nanoTime);
  }

  Outage(String application, String node, LongSupplier nanos) {
    this.application = application;
    this.node = node;
    this.nanos = nanos;
    this.until = nanos.getAsLong();
  }

  /** Logs a failure as a WARNING, or at DEBUG if it is part of an outage. */
  public void warn(Logger log, String what, Throwable why) {
    log(log, Level.WARNING, what, why);
  }

  /**
   * Logs a failure at a given level, or at DEBUG if it is part of an outage. The entry of a
   * transient failure is a single line, because stack traces of an operation that fails repeatedly
   * would hide the rest of the log.
   */
  public void log(Logger log, Level level, String what, Throwable why) {
    if (record(why)) {
      log.log(Level.DEBUG, () -> what + ": " + Causes.rootOf(why));
    } else if (why instanceof DatabaseUnavailableException || TransientErrors.isTransient(why)) {
      log.log(level, what + ": " + Causes.rootOf(why));
    } else {
      log.log(level, what, why);
    }
  }

  /**
   * Records a failure, and logs the beginning of an outage. Returns true if the failure means that
   * the database is unavailable.
   */
  public boolean record(Throwable why) {
    if (!TransientErrors.isOutage(why)) {
      return false;
    }
    boolean begins;
    synchronized (this) {
      begins = !lasts;
      if (begins) {
        began = nanos.getAsLong();
        boolean again = endedOnce && began - ended < LONGEST_STEADY_NANOS;
        steady = again ? Math.min(2 * steady, LONGEST_STEADY_NANOS) : STEADY_NANOS;
      }
      lasts = true;
      unavailable = true;
    }
    if (begins) {
      LOG.log(
          Level.WARNING,
          "READPAST-0040 the database is unavailable to application ''{0}'' on node ''{1}''. Jobs"
              + " wait, and the engine tries again until the database responds. Check that it is"
              + " running, accepts connections from this server, and has connections left. Cause: {2}",
          application,
          node,
          TransientErrors.causeOf(why));
    }
    return true;
  }

  /** Records that a heartbeat or a poll has reached the database. */
  public void reached() {
    succeeded();
    if (!lasts) {
      return;
    }
    Duration length;
    synchronized (this) {
      long now = nanos.getAsLong();
      if (unavailable) {
        unavailable = false;
        answered = now;
      }
      if (!lasts || now - answered < steady) {
        return;
      }
      lasts = false;
      ended = now;
      endedOnce = true;
      length = Duration.ofNanos(answered - began);
    }
    LOG.log(
        Level.INFO,
        "READPAST-0041 the database is available again to application ''{0}'' on node ''{1}''; it"
            + " was unavailable for {2} s",
        application,
        node,
        String.format(Locale.ROOT, "%.1f", length.toMillis() / 1000.0));
  }

  /** Returns true from the first failure until the end of the outage is logged. */
  public boolean lasts() {
    return lasts;
  }

  /**
   * Returns true if the database is unavailable, or was unavailable at some time after the given
   * one.
   */
  public synchronized boolean unavailableAfter(long moment) {
    return unavailable || ((lasts || endedOnce) && answered - moment > 0);
  }

  /** Returns true if nothing has reached the database since the last failure. */
  public boolean unavailable() {
    return unavailable;
  }

  /**
   * Begins a pause, which is longer than the previous one. Polls that were already in progress and
   * fail during the pause are ignored.
   */
  public synchronized void pause(long now) {
    if (paused(now)) {
      return;
    }
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
    failures++;
    until = now + Duration.ofMillis(pause).toNanos();
    paused = true;
  }

  /** Returns true while receivers must not poll. */
  public boolean paused(long now) {
    return paused && now - until < 0;
  }

  /** Returns how long the pause of all receivers still lasts. */
  public Duration remainingPause(long now) {
    return paused(now) ? Duration.ofMillis((until - now) / 1_000_000 + 1) : Duration.ZERO;
  }

  /** Ends the pause, because a receiver has reached the database. */
  public void succeeded() {
    if (paused) {
      synchronized (this) {
        failures = 0;
        paused = false;
      }
    }
  }
}
