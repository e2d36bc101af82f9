package org.readpast.engine;

import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicBoolean;
import org.readpast.api.ReceiveMode;

/**
 * Drains one queue: receives and works until it is empty, its time is up, or it is one too many.
 */
final class Receiver implements Runnable {
  private static final Logger LOG = System.getLogger(Receiver.class.getName());

  private final Line line;
  private final Workplace at;
  private final Dispatcher dispatcher;
  private final TransactionalReceive transactional;
  private final LeasedReceive leased;
  private long end;
  private final AtomicBoolean left = new AtomicBoolean();

  Receiver(Line line, Workplace at, Dispatcher dispatcher) {
    this.line = line;
    this.at = at;
    this.dispatcher = dispatcher;
    this.leased = new LeasedReceive(at);
    this.transactional = new TransactionalReceive(at, leased);
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
        if (line.limited() && at.recorder().holdsLeasesOf(line.queue())) {
          line.rest();
        }
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
      Trouble.warn(
          LOG,
          "READPAST-0010 queue '" + line.queue() + "' could not be received; it is tried again",
          t);
    } finally {
      dispatcher.ended();
      leave(again);
    }
  }

  /** Its thread is given up on: another may take its place, once it is known what is in work. */
  void abandon() {
    line.rest();
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

  private int receive() throws Exception {
    for (Way way : line.ways()) {
      Runnable more = this::wakeAnother;
      int received =
          way.mode() == ReceiveMode.LEASED
              ? leased.receive(line, way, more, () -> isToLeave() || dispatcher.queueWaits())
              : transactional.receive(line, way, more);
      if (received > 0) {
        return received;
      }
    }
    return 0;
  }
}
