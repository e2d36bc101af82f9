package org.readpast.engine;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.readpast.engine.Settings.QueueSettings;
import org.readpast.store.Claims;
import org.readpast.store.Listening;
import org.readpast.store.Nodes.QueueRow;
import org.readpast.store.Tally;
import org.readpast.store.TransientErrors;

/**
 * Turns wake-ups into receivers on the container's threads, up to the concurrency of each queue and
 * of the node. One receiver is started; each that finds work asks for one more where jobs may wait
 * that nobody was woken for.
 */
final class Dispatcher {
  private static final Logger LOG = System.getLogger(Dispatcher.class.getName());

  private final Workplace at;
  private final Threads threads;
  private final Watermark watermark;
  private final Outage outage;
  private final Set<String> types;
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  // Changed under this object's lock, and asked without it whether there are any.
  private final Deque<Line> waitingForThread = new ConcurrentLinkedDeque<>();
  private final Map<Thread, Receiver> running = new ConcurrentHashMap<>();
  private int receivers;
  private volatile boolean reserving;

  Dispatcher(Workplace at, Threads threads, Watermark watermark) {
    this.at = at;
    this.threads = threads;
    this.watermark = watermark;
    this.outage = at.node().outage();
    this.types = at.handlings().types();
  }

  /** Takes note of the queues there are and of their settings. */
  void setQueues(Collection<QueueRow> queues) {
    for (QueueRow row : queues) {
      Line line = lines.computeIfAbsent(row.name(), this::newLine);
      QueueSettings configured = at.settings().queue(row.name());
      var limits =
          new Line.Limits(
              row.paused(),
              first(row.concurrency(), configured.concurrency(), at.settings().concurrency()),
              first(row.reserved(), configured.reserved(), 0),
              row.limit());
      line.usedAnywhere(row.lately());
      if (line.set(limits)) {
        signal(row.name());
      }
    }
    reserving = lines.values().stream().anyMatch(line -> line.reserved() > 0);
    // Fewer workers may be reserved than before.
    for (Line next = nextWaiting(); next != null; next = nextWaiting()) {
      wake(next);
    }
  }

  /** Forgets queues that exist no more, unless somebody is at work there. */
  void retainQueues(Set<String> existing) {
    for (Line line : lines.values()) {
      if (!existing.contains(line.queue())
          && line.inUse() == 0
          && !waitingForThread.contains(line)) {
        lines.remove(line.queue());
        at.counters().forget(line.queue());
      }
    }
  }

  private static int first(@Nullable Integer own, @Nullable Integer configured, int otherwise) {
    return own != null ? own : configured != null ? configured : otherwise;
  }

  /**
   * One that this node does not serve has no types; applications may receive from it all the same.
   */
  private Line newLine(String queue) {
    Set<String> worked = at.settings().serves(queue) ? types : Set.of();
    return new Line(queue, worked, watermark, at.speeds(), outage);
  }

  Outage outage() {
    return outage;
  }

  /** How each queue is served in which something has happened. */
  List<Listening> listening() {
    return lines.values().stream()
        .map(line -> listening(line, at.counters().soFar(line.queue())))
        .filter(Dispatcher::busy)
        .toList();
  }

  /** What has been done and may be done in every queue. */
  List<QueueFigures> figures() {
    return lines.values().stream().map(this::figures).toList();
  }

  private QueueFigures figures(Line line) {
    Counters.OfQueue counts = at.counters().soFar(line.queue());
    return new QueueFigures(
        listening(line, counts),
        !line.idle(),
        line.paused(),
        line.concurrency(),
        line.limit(),
        counts.enqueued.sum(),
        counts.retried.sum(),
        counts.waits,
        counts.runs);
  }

  private static boolean busy(Listening now) {
    return now.receivers() + now.wakeUps() + now.emptyReceives() + now.dead() + now.errors() > 0;
  }

  private static Listening listening(Line line, Counters.OfQueue counts) {
    return new Listening(
        line.queue(),
        line.inUse(),
        counts.received.sum(),
        counts.completed.sum(),
        counts.failed.sum(),
        counts.dead.sum(),
        counts.wakeUps.sum(),
        counts.emptyReceives.sum(),
        counts.errors.sum());
  }

  /** The same with what only the database keeps, also of queues that are not served here. */
  List<Tally> tallies() {
    List<Tally> all = new ArrayList<>();
    for (Line line : lines.values()) {
      Counters.OfQueue counts = at.counters().soFar(line.queue());
      Listening listening = listening(line, counts);
      if (counts.enqueued.sum() > 0 || busy(listening)) {
        all.add(
            new Tally(listening, counts.enqueued.sum(), counts.waits.text(), counts.runs.text()));
      }
    }
    return all;
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
      at.counters().of(queue).wakeUps.increment();
      line.signal();
      wake(line);
    }
  }

  /**
   * Jobs have come to a lane; false when there may not be a receiver of this node for each of them
   * now.
   */
  boolean signal(Arrival lane, int jobs) {
    Line line = lines.get(lane.queue());
    if (line == null) {
      return false;
    }
    line.signal(lane.type(), lane.priority(), jobs);
    if (line.idle() || !at.handlings().knows(lane.type())) {
      return false;
    }
    at.counters().of(lane.queue()).wakeUps.increment();
    boolean room;
    synchronized (this) {
      int free = line.lingers() ? freeFor(line) + 1 : freeFor(line);
      room = line.hasRoom(jobs, System.nanoTime()) && free >= jobs;
    }
    return wake(line) && room;
  }

  /** Jobs are available again at positions that they had before. */
  void released(List<Claims.Released> lanes) {
    for (Claims.Released lane : lanes) {
      Line line = lines.get(lane.queue());
      if (line != null) {
        line.released(lane);
        at.counters().of(lane.queue()).wakeUps.increment();
        line.signal();
        wake(line);
      }
    }
  }

  /** Whether jobs of a lane are claimed here straight from their waves. */
  boolean claimFromWaves(Arrival lane) {
    Line line = lines.get(lane.queue());
    return line != null && !at.node().stopping() && line.takesFromWaves(lane.type());
  }

  /** Whether jobs of some lane may be. */
  boolean claimAnyFromWaves() {
    return lines.values().stream().anyMatch(Line::takesFromWaves);
  }

  /** A wave is open, as some node has said. */
  void heard(OpenWave wave) {
    if (wave.node() != at.node().no()) {
      opened(wave);
    }
  }

  /** A wave is open, and jobs of it may be claimed here. */
  void opened(OpenWave wave) {
    Line line = lines.get(wave.lane().queue());
    if (line != null && line.opened(wave)) {
      at.counters().of(line.queue()).wakeUps.increment();
      wake(line);
    }
  }

  /** Calls a receiver back or starts one, if there may be one more; whether there was one. */
  boolean wake(Line line) {
    if (at.node().stopping() || line.idle()) {
      return false;
    }
    if (line.callBack()) {
      return true;
    }
    synchronized (this) {
      if (freeFor(line) <= 0) {
        line.leaveUnattended();
        if (!waitingForThread.contains(line) && line.hasRoom(1, System.nanoTime())) {
          waitingForThread.add(line);
          lines.values().forEach(Line::endLingering);
        }
        return false;
      }
      if (!line.enter(System.nanoTime())) {
        return false;
      }
      receivers++;
    }
    if (threads.tryStart(new Receiver(line, at, this))) {
      return true;
    }
    line.leave();
    line.failed(System.nanoTime());
    synchronized (this) {
      receivers--;
    }
    return false;
  }

  /** Workers that are not kept free for another queue. */
  private int freeFor(Line line) {
    // What is reserved beyond what there is keeps nobody from the last worker.
    int free = at.settings().workers() - receivers;
    return reserving && line.receivers() >= line.reserved() ? free - keptFree(line, free) : free;
  }

  private int keptFree(Line line, int most) {
    int keptFree = 0;
    for (Line other : lines.values()) {
      if (other != line && other.reserved() > 0 && !other.idle()) {
        keptFree += Math.max(0, other.reserved() - other.receivers());
      }
    }
    return Math.min(keptFree, receivers == 0 ? most - 1 : most);
  }

  /** Whether a receiver is to leave because workers have been reserved for another queue since. */
  boolean overbooked(Line line) {
    if (!reserving) {
      return false;
    }
    synchronized (this) {
      int workers = at.settings().workers();
      return line.receivers() > line.reserved() && receivers + keptFree(line, workers) > workers;
    }
  }

  /**
   * A look has failed: nobody looks in this queue for a while, and nobody anywhere in an outage.
   */
  void failed(Line line, Throwable why) {
    if (TransientErrors.isOutage(why)) {
      outage.pause(System.nanoTime());
    }
    line.failed(System.nanoTime());
  }

  void succeeded(Line line) {
    line.succeeded();
    outage.succeeded();
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
      receiver.abandon();
    }
  }

  /** Whether a queue waits for a worker. Takes no lock. */
  boolean queueWaits() {
    return !waitingForThread.isEmpty();
  }

  /** How long a receiver may linger: not while a queue waits for its worker. Takes no lock. */
  long lingerNanos() {
    return queueWaits() ? 0 : Threads.LINGER_NANOS;
  }

  /** A receiver has left; its thread may serve a queue that waits for one. */
  void left(Line line, boolean again) {
    Line next;
    synchronized (this) {
      receivers--;
      if (again) {
        waitingForThread.add(line);
      }
      next = nextWaiting();
    }
    if (next != null) {
      wake(next);
    }
  }

  /** The first that there is a worker for. */
  private synchronized @Nullable Line nextWaiting() {
    for (Line line : waitingForThread) {
      if (freeFor(line) > 0) {
        waitingForThread.remove(line);
        return line;
      }
    }
    return null;
  }

  /** Receivers at work, and those that linger. */
  synchronized int receivers() {
    return receivers;
  }
}
