package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import org.readpast.store.Claims.LastPosition;

/**
 * Forgets what this node remembers of the database once that may have lost commits, as after a
 * failover to a replica, a restore, or a crash: from where lanes are searched, which queues exist,
 * which waves are open, when the next schedule is due. What the node remembers for a second or less
 * is left alone.
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

  /** Takes note of the last position drawn; on the listener's thread only, in the order read. */
  void check(LastPosition last) {
    if (watermark.forgetIfLost(last)) {
      pending = true;
      LOG.log(
          Level.DEBUG,
          "READPAST-0090 the database was started anew or set back, and may have lost commits: all"
              + " jobs are searched from the start");
    }
    if (pending) {
      // The watermark went first: what is planned from now on knows nothing of before.
      dispatcher
          .served()
          .forEach(
              served -> {
                served.startOver(last.position());
                dispatcher.wake(served);
              });
      resolver.startOver();
      schedules.askAnew();
      enqueuing.createLost();
      pending = false;
    }
  }

  /** Takes note of the transactions that were open after that, and may have drawn positions. */
  void observe(LastPosition last, Set<String> openWriters) {
    check(last);
    watermark.observe(last.position(), openWriters);
  }

  /** Takes note of the queues that exist, and are not removed soon. */
  void queues(Set<String> existing) {
    enqueuing.retainQueues(existing);
  }

  /** Creates queues that jobs are in. */
  void create(Set<String> queues) {
    enqueuing.create(queues);
  }
}
