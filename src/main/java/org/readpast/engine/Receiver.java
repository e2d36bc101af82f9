package org.readpast.engine;

import java.lang.System.Logger;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Drains one queue: receives and works until it is empty, its time is up, or it is one too many.
 */
final class Receiver implements Runnable {
  private static final Logger LOG = System.getLogger(Receiver.class.getName());

  private final Line line;
  private final Workplace at;
  private final Dispatcher dispatcher;
  private final JobWorker worker;
  private final List<ClaimSource> sources;
  private long end;
  private final AtomicBoolean left = new AtomicBoolean();

  Receiver(Line line, Workplace at, Dispatcher dispatcher) {
    this.line = line;
    this.at = at;
    this.dispatcher = dispatcher;
    this.worker = new JobWorker(at);
    // What is available comes first: it was released before.
    this.sources = List.of(new LaneClaims(at, line), new WaveClaims(at, line));
  }

  @Override
  public void run() {
    boolean again = false;
    end = System.nanoTime() + at.settings().workTimeLimit(line.queue()).toNanos();
    dispatcher.running(this);
    try {
      while (!left.get() && !at.node().stopping() && !line.overstaffed()) {
        if (isToLeave()) {
          again = true;
          return;
        }
        long seen = line.signals();
        int received = receive();
        dispatcher.succeeded(line);
        if (received > 0 || !line.fullyLooked()) {
          continue;
        }
        at.counters().of(line.queue()).emptyReceives.increment();
        if (line.leaveIfQuiet(
            seen, dispatcher::lingerNanos, () -> left.compareAndSet(false, true))) {
          dispatcher.left(line, false);
          return;
        }
        if (left.get()) {
          // It was given up on while it lingered: who called it back is to have another.
          dispatcher.wake(line);
        }
      }
    } catch (InterruptedException e) {
      // It may have been called back just then.
      again = true;
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      at.counters().of(line.queue()).errors.increment();
      dispatcher.failed(line, t);
      at.node()
          .outage()
          .warn(
              LOG,
              "READPAST-0010 queue '" + line.queue() + "' could not be received; it is tried again",
              t);
    } finally {
      dispatcher.ended();
      leave(again);
    }
  }

  /** Its thread is given up on: another may take its place. */
  void abandon() {
    leave(true);
  }

  /** Makes room for another; again: there may be more to do in this queue. */
  void leave(boolean again) {
    if (left.compareAndSet(false, true)) {
      line.leave();
      dispatcher.left(line, again);
    }
  }

  private boolean isToLeave() {
    return left.get() || System.nanoTime() - end > 0 || dispatcher.overbooked(line);
  }

  private void wakeAnother() {
    if (line.unattended()) {
      dispatcher.wake(line);
    }
  }

  /** Claims jobs and works them; gives how many. */
  private int receive() throws InterruptedException {
    for (ClaimSource source : sources) {
      LeasedJobs jobs = source.claim(this::wakeAnother);
      if (jobs != null) {
        return work(jobs);
      }
    }
    return 0;
  }

  private int work(LeasedJobs claimed) throws InterruptedException {
    NextInGroup next =
        new NextInGroup(at, line, claimed, () -> isToLeave() || dispatcher.queueWaits());
    int received = 0;
    for (LeasedJobs jobs = claimed; jobs != null; jobs = worker.work(line, jobs, next)) {
      received += jobs.open();
      at.counters().of(line.queue()).received.add(jobs.open());
    }
    return received;
  }
}
