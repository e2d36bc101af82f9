package org.readpast.engine;

import java.lang.System.Logger;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Claims and runs the jobs of one queue, until the queue is empty, the receiver's time is up, or
 * the queue has too many receivers.
 */
final class Receiver implements Runnable {
  private static final Logger LOG = System.getLogger(Receiver.class.getName());

  private final ServedQueue served;
  private final EngineContext at;
  private final Dispatcher dispatcher;
  private final JobWorker worker;
  private final List<ClaimSource> sources;
  private long end;
  private final AtomicBoolean left = new AtomicBoolean();

  Receiver(ServedQueue served, EngineContext at, Dispatcher dispatcher) {
    this.served = served;
    this.at = at;
    this.dispatcher = dispatcher;
    this.worker = new JobWorker(at);
    // Available jobs are claimed first, because they were released before the jobs of open waves.
    this.sources = List.of(new LaneClaims(at, served), new WaveClaims(at, served));
  }

  @Override
  public void run() {
    end = System.nanoTime() + at.settings().workTimeLimit(served.queue()).toNanos();
    dispatcher.running(this);
    try {
      while (!isToLeave() && !at.node().stopping() && !served.slots().tooManyReceivers()) {
        long seen = served.slots().signals();
        int received = receive();
        dispatcher.succeeded(served);
        if (received > 0 || (!served.fullyScanned() && !served.atLimit())) {
          continue;
        }
        at.counters().of(served.queue()).emptyReceives.increment();
        if (served
            .slots()
            .leaveIfNotSignalled(
                seen, dispatcher::lingerNanos, () -> left.compareAndSet(false, true))) {
          dispatcher.left(served, false);
          return;
        }
        if (left.get()) {
          // This receiver was abandoned while it lingered, so the wake-up that it accepted is
          // passed on to another receiver.
          dispatcher.wake(served);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      at.counters().of(served.queue()).errors.increment();
      dispatcher.failed(served, t);
      at.node()
          .outage()
          .warn(
              LOG,
              "READPAST-0010 jobs of queue '"
                  + served.queue()
                  + "' could not be claimed or run, because of an error outside their"
                  + " handlers; this node tries again after a pause of up to 10 s",
              t);
    } finally {
      dispatcher.ended();
      leave();
    }
  }

  /**
   * Frees the slot of this receiver for another one. The queue may have more jobs: a wake-up may
   * have called this receiver back, or more receivers than necessary have left together.
   */
  void leave() {
    if (left.compareAndSet(false, true)) {
      served.slots().leave();
      dispatcher.left(served, true);
    }
  }

  private boolean isToLeave() {
    return left.get()
        || System.nanoTime() - end > 0
        || worker.leaseLost()
        || dispatcher.overbooked(served);
  }

  private void wakeAnother() {
    if (served.slots().wakeUpPending()) {
      dispatcher.wake(served);
    }
  }

  /** Claims jobs and runs them; returns the number of jobs. */
  private int receive() throws InterruptedException {
    for (ClaimSource source : sources) {
      ClaimedJobs jobs = source.claim(this::wakeAnother);
      if (jobs != null) {
        return work(jobs);
      }
    }
    return 0;
  }

  private int work(ClaimedJobs claimed) throws InterruptedException {
    NextInGroup next =
        new NextInGroup(at, served, claimed, () -> isToLeave() || dispatcher.queueWaits());
    int received = 0;
    for (ClaimedJobs jobs = claimed; jobs != null; jobs = worker.work(served, jobs, next)) {
      received += jobs.openInDatabase();
      at.counters().of(served.queue()).received.add(jobs.openInDatabase());
    }
    return received;
  }
}
