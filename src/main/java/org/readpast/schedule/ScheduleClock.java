package org.readpast.schedule;

import java.lang.System.Logger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Outage;
import org.readpast.engine.TimedWork;

/**
 * Fires schedules when the next of them is due. Between these times, the clock queries the database
 * only occasionally, in case it missed the notification of a change.
 */
public final class ScheduleClock implements TimedWork {
  private static final Logger LOG = System.getLogger(ScheduleClock.class.getName());
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);
  private static final Duration ERROR_PAUSE = Duration.ofSeconds(1);

  private final ScheduleFiring firing;
  private final ScheduleDeclarations declarations;
  private final Outage outage;
  private long nextFollowing = System.nanoTime();
  private long next = System.nanoTime();
  private int failures;

  public ScheduleClock(ScheduleFiring firing, ScheduleDeclarations declarations, Outage outage) {
    this.firing = firing;
    this.declarations = declarations;
    this.outage = outage;
  }

  @Override
  public void round(boolean changed) {
    if (changed) {
      firing.lookAnew();
    }
    if (!changed && System.nanoTime() - next < 0) {
      return;
    }
    try {
      if (changed || System.nanoTime() - nextFollowing >= 0) {
        declarations.follow();
        nextFollowing = System.nanoTime() + LONGEST_WAIT.toNanos();
      }
      next = System.nanoTime() + capped(firing.fire(null)).toNanos();
      failures = 0;
    } catch (RuntimeException e) {
      Duration pause = capped(ERROR_PAUSE.multipliedBy(1L << Math.min(failures++, 10)));
      next = System.nanoTime() + pause.toNanos();
      outage.warn(
          LOG,
          "READPAST-0050 due schedules could not be fired; this node tries again in " + pause,
          e);
    }
  }

  @Override
  public void reload() {
    next = System.nanoTime();
  }

  @Override
  public long next() {
    return next;
  }

  private static Duration capped(@Nullable Duration wait) {
    return wait == null || wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
  }
}
