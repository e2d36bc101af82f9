package org.readpast.engine;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.readpast.api.ReceiveMode;
import org.readpast.store.Nodes.QueueRow;

/**
 * Turns wake-ups into receivers on the container's threads, up to the concurrency of each queue and
 * of the node. One receiver is started; each that finds work asks for one more.
 */
final class Dispatcher {
  private final Workplace at;
  private final Threads threads;
  private final Watermark watermark;
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private final Deque<Line> waitingForThread = new ArrayDeque<>();
  private final Map<Thread, Receiver> running = new ConcurrentHashMap<>();
  private int receivers;

  Dispatcher(Workplace at, Threads threads, Watermark watermark) {
    this.at = at;
    this.threads = threads;
    this.watermark = watermark;
  }

  /** Takes note of the queues there are and of their settings. */
  void setQueues(Collection<QueueRow> queues) {
    for (QueueRow row : queues) {
      if (at.settings().serves(row.name())) {
        Line line = lines.computeIfAbsent(row.name(), this::newLine);
        Integer own = row.concurrency();
        Integer configured = at.settings().queue(row.name()).concurrency();
        int concurrency =
            own != null ? own : configured != null ? configured : at.settings().concurrency();
        if (line.set(row.paused(), concurrency)) {
          line.signal();
          wake(line);
        }
      }
    }
  }

  private Line newLine(String queue) {
    return new Line(
        queue,
        at.handlings().types(queue, ReceiveMode.TRANSACTIONAL),
        at.handlings().types(queue, ReceiveMode.LEASED),
        watermark);
  }

  Collection<Line> lines() {
    return lines.values();
  }

  @Nullable Line line(String queue) {
    return lines.get(queue);
  }

  /** Something may have come to this queue. */
  void signal(String queue) {
    Line line = lines.get(queue);
    if (line != null) {
      at.counters().wakeUps.increment();
      line.signal();
      wake(line);
    }
  }

  /** A job has come to this lane; false when no receiver of this node can take it now. */
  boolean signal(String queue, String type, int priority) {
    Line line = lines.get(queue);
    if (line == null || !at.handlings().knows(type)) {
      return false;
    }
    at.counters().wakeUps.increment();
    line.signal(type, priority);
    boolean room = line.hasRoom(System.nanoTime());
    wake(line);
    return room;
  }

  /** Starts a receiver if there may be one more. */
  void wake(Line line) {
    if (at.node().stopping() || line.idle()) {
      return;
    }
    synchronized (this) {
      if (receivers >= at.settings().workers()) {
        if (!waitingForThread.contains(line) && line.hasRoom(System.nanoTime())) {
          waitingForThread.add(line);
        }
        return;
      }
      if (!line.enter(System.nanoTime())) {
        return;
      }
      receivers++;
    }
    try {
      threads.start(new Receiver(line, at, this));
    } catch (RejectedExecutionException e) {
      line.leave();
      line.failed(System.nanoTime());
      synchronized (this) {
        receivers--;
      }
    }
  }

  void running(Receiver receiver) {
    running.put(Thread.currentThread(), receiver);
  }

  void ended() {
    running.remove(Thread.currentThread());
  }

  /** A handler holds this thread and does not let go: another receiver may take its place. */
  void abandon(Thread thread) {
    Receiver receiver = running.get(thread);
    if (receiver != null) {
      receiver.leave(true);
    }
  }

  /** A receiver has left; its thread may serve a queue that waits for one. */
  void left(Line line, boolean again) {
    Line next;
    synchronized (this) {
      receivers--;
      if (again) {
        waitingForThread.add(line);
      }
      next = waitingForThread.poll();
    }
    if (next != null) {
      wake(next);
    }
  }

  /** Receivers at work. */
  synchronized int receivers() {
    return receivers;
  }
}
