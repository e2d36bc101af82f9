package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import org.readpast.dependency.DependencyResolver;
import org.readpast.store.Claims.LastPosition;

/**
 * Discards all cached data about the database if the database may have lost commits, such as after
 * a failover to a replica, a restore, or a crash. The discarded data includes the positions from
 * which lanes are scanned, the known queues, the open waves, and the due time of the next schedule.
 * Data that the node caches for at most a second is not discarded.
 */
final class LostCommits {
  private static final Logger LOG = System.getLogger(LostCommits.class.getName());

  private final Watermark watermark;
  private final Dispatcher dispatcher;
  private final DependencyResolver resolver;
  private final TimedWork schedules;
  private final Enqueuing enqueuing;
  private boolean pending;

  LostCommits(
      Watermark watermark,
      Dispatcher dispatcher,
      DependencyResolver resolver,
      TimedWork schedules,
      Enqueuing enqueuing) {
    this.watermark = watermark;
    this.dispatcher = dispatcher;
    this.resolver = resolver;
    this.schedules = schedules;
    this.enqueuing = enqueuing;
  }

  /**
   * Checks the last position that was assigned. This method must be called only on the listener's
   * thread, in the order in which the positions were read.
   */
  void check(LastPosition last) {
    if (watermark.forgetIfLost(last)) {
      pending = true;
      LOG.log(
          Level.WARNING,
          "READPAST-0090 the database was restarted, restored or replaced by a standby, and may"
              + " have lost commits. This node searches all jobs from the start. After a"
              + " failover or a restore, check whether acknowledged jobs are missing");
    }
    if (pending) {
      // The watermark has already been reset, so plans that are made from now on do not depend on
      // lost commits.
      dispatcher
          .served()
          .forEach(
              served -> {
                served.startOver(last.position());
                dispatcher.wake(served);
              });
      resolver.startOver();
      schedules.reload();
      enqueuing.createLost();
      pending = false;
    }
  }

  /**
   * Records the transactions that were open after the position was read, and so may have taken
   * positions.
   */
  void observe(LastPosition last, Set<String> openWriters) {
    check(last);
    watermark.observe(last.position(), openWriters);
  }

  /** Forgets all known queues except the given ones, which exist and will not be removed soon. */
  void retainQueues(Set<String> existing) {
    enqueuing.retainQueues(existing);
  }

  /** Creates the given queues that do not exist. All of the given queues have jobs. */
  void createQueues(Set<String> queues) {
    enqueuing.create(queues);
  }
}
