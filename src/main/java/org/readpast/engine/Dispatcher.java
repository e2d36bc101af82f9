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

  private final EngineContext at;
  private final Threads threads;
  private final Watermark watermark;
  private final Outage outage;
  private final Set<String> types;
  private final Map<String, ServedQueue> servedQueues = new ConcurrentHashMap<>();
  // Changed under this object's lock, and asked without it whether there are any.
  private final Deque<ServedQueue> waitingForThread = new ConcurrentLinkedDeque<>();
  private final Map<Thread, Receiver> running = new ConcurrentHashMap<>();
  private int receivers;
  private volatile boolean reserving;

  Dispatcher(EngineContext at, Threads threads, Watermark watermark) {
    this.at = at;
    this.threads = threads;
    this.watermark = watermark;
    this.outage = at.node().outage();
    this.types = at.handlings().types();
    at.typeLimits().wakes(this::resume);
  }

  /** Takes note of the queues there are and of their settings. */
  void setQueues(Collection<QueueRow> queues) {
    for (QueueRow row : queues) {
      ServedQueue served = servedQueues.computeIfAbsent(row.name(), this::newQueue);
      QueueSettings configured = at.settings().queue(row.name());
      var limits =
          new ServedQueue.Limits(
              row.paused(),
              first(row.concurrency(), configured.concurrency(), at.settings().concurrency()),
              first(row.reserved(), configured.reserved(), 0),
              row.limit());
      served.usedAnywhere(row.lately());
      if (served.set(limits)) {
        signal(row.name());
      }
    }
    reserving = servedQueues.values().stream().anyMatch(served -> served.limits().reserved() > 0);
    // Fewer workers may be reserved than before.
    for (ServedQueue next = nextWaiting(); next != null; next = nextWaiting()) {
      wake(next);
    }
  }

  /** Forgets queues that exist no more, unless somebody is at work there. */
  void retainQueues(Set<String> existing) {
    for (ServedQueue served : servedQueues.values()) {
      if (!existing.contains(served.queue())
          && served.slots().inUse() == 0
          && !waitingForThread.contains(served)) {
        servedQueues.remove(served.queue());
        at.counters().forget(served.queue());
      }
    }
  }

  private static int first(@Nullable Integer own, @Nullable Integer configured, int otherwise) {
    return own != null ? own : configured != null ? configured : otherwise;
  }

  /**
   * A queue that this node does not serve gets no types; applications can still receive from it.
   */
  private ServedQueue newQueue(String queue) {
    Set<String> worked = at.settings().serves(queue) ? types : Set.of();
    return new ServedQueue(queue, worked, watermark, at.speeds(), at.typeLimits(), outage);
  }

  Outage outage() {
    return outage;
  }

  /** How each queue is served in which something has happened. */
  List<Listening> listening() {
    return servedQueues.values().stream()
        .map(served -> listening(served, at.counters().soFar(served.queue())))
        .filter(Dispatcher::busy)
        .toList();
  }

  /** What has been done and may be done in every queue. */
  List<QueueFigures> figures() {
    return servedQueues.values().stream().map(this::figures).toList();
  }

  private QueueFigures figures(ServedQueue served) {
    Counters.OfQueue counts = at.counters().soFar(served.queue());
    return new QueueFigures(
        listening(served, counts),
        !served.idle(),
        served.paused(),
        served.limits().concurrency(),
        served.limit(),
        counts.enqueued.sum(),
        counts.retried.sum(),
        counts.waits,
        counts.runs);
  }

  private static boolean busy(Listening now) {
    return now.receivers() + now.wakeUps() + now.emptyReceives() + now.discarded() + now.errors()
        > 0;
  }

  private static Listening listening(ServedQueue served, Counters.OfQueue counts) {
    return new Listening(
        served.queue(),
        served.slots().inUse(),
        counts.received.sum(),
        counts.completed.sum(),
        counts.failed.sum(),
        counts.discarded.sum(),
        counts.wakeUps.sum(),
        counts.emptyReceives.sum(),
        counts.errors.sum());
  }

  /** The same with what only the database keeps, also of queues that are not served here. */
  List<Tally> tallies() {
    List<Tally> all = new ArrayList<>();
    for (ServedQueue served : servedQueues.values()) {
      Counters.OfQueue counts = at.counters().soFar(served.queue());
      Listening listening = listening(served, counts);
      if (counts.enqueued.sum() > 0 || busy(listening)) {
        all.add(
            new Tally(listening, counts.enqueued.sum(), counts.waits.text(), counts.runs.text()));
      }
    }
    return all;
  }

  Collection<ServedQueue> served() {
    return servedQueues.values();
  }

  @Nullable ServedQueue served(String queue) {
    return servedQueues.get(queue);
  }

  /** Something may have come to this queue. */
  void signal(String queue) {
    ServedQueue served = servedQueues.get(queue);
    if (served != null) {
      at.counters().of(queue).wakeUps.increment();
      served.signal();
      wake(served);
    }
  }

  /**
   * Jobs have come to a lane; false when there may not be a receiver of this node for each of them
   * now.
   */
  boolean signal(Arrival lane, int jobs) {
    ServedQueue served = servedQueues.get(lane.queue());
    if (served == null) {
      return false;
    }
    served.signal(lane.type(), lane.priority(), jobs);
    if (served.idle() || !at.handlings().knows(lane.type())) {
      return false;
    }
    at.counters().of(lane.queue()).wakeUps.increment();
    if (at.typeLimits().passesBy(lane.type(), lane.queue())) {
      served.slots().leaveUnattended();
      return false;
    }
    boolean room;
    synchronized (this) {
      int free = served.slots().lingers() ? freeFor(served) + 1 : freeFor(served);
      room = served.slots().hasRoom(jobs, System.nanoTime()) && free >= jobs;
    }
    return wake(served) && room;
  }

  /** Jobs are available again at positions that they had before. */
  void released(List<Claims.Released> lanes) {
    for (Claims.Released lane : lanes) {
      ServedQueue served = servedQueues.get(lane.queue());
      if (served != null) {
        served.released(lane);
        at.counters().of(lane.queue()).wakeUps.increment();
        served.signal();
        wake(served);
      }
    }
  }

  /** Whether jobs of a lane are claimed here straight from their waves. */
  boolean claimFromWaves(Arrival lane) {
    ServedQueue served = servedQueues.get(lane.queue());
    return served != null && !at.node().stopping() && served.takesFromWaves(lane.type());
  }

  /** Whether jobs of some lane may be. */
  boolean claimAnyFromWaves() {
    return servedQueues.values().stream().anyMatch(ServedQueue::takesFromWaves);
  }

  /** A wave is open, as some node has said. */
  void openedElsewhere(OpenWave wave) {
    if (wave.node() != at.node().no()) {
      opened(wave);
    }
  }

  /** A wave is open, and jobs of it may be claimed here. */
  void opened(OpenWave wave) {
    ServedQueue served = servedQueues.get(wave.lane().queue());
    if (served != null && served.opened(wave)) {
      at.counters().of(served.queue()).wakeUps.increment();
      wake(served);
    }
  }

  /** Calls a receiver back or starts one, if there may be one more; whether there was one. */
  boolean wake(ServedQueue served) {
    if (at.node().stopping() || served.idle()) {
      return false;
    }
    if (served.slots().callBack()) {
      return true;
    }
    synchronized (this) {
      if (freeFor(served) <= 0) {
        served.slots().leaveUnattended();
        if (!waitingForThread.contains(served) && served.slots().hasRoom(1, System.nanoTime())) {
          waitingForThread.add(served);
          servedQueues.values().forEach(one -> one.slots().endLingering());
        }
        return false;
      }
      if (!served.slots().enter(System.nanoTime())) {
        return false;
      }
      receivers++;
    }
    if (threads.tryStart(new Receiver(served, at, this))) {
      return true;
    }
    served.slots().leave();
    served.failed(System.nanoTime());
    synchronized (this) {
      receivers--;
    }
    return false;
  }

  /** A limited type may be looked for again in a queue; returns true if a receiver was woken. */
  private boolean resume(String queue) {
    ServedQueue served = servedQueues.get(queue);
    if (served == null) {
      return false;
    }
    // A full look: a quick one that finds nothing is followed by another, out of turn, which passes
    // the type by, so that idle queues would wake each other for ever.
    served.signal();
    return wake(served);
  }

  /** Workers that are not kept free for another queue. */
  private int freeFor(ServedQueue served) {
    // What is reserved beyond what there is keeps nobody from the last worker.
    int free = at.settings().workers() - receivers;
    return reserving && served.slots().receivers() >= served.limits().reserved()
        ? free - keptFree(served, free)
        : free;
  }

  private int keptFree(ServedQueue served, int most) {
    int keptFree = 0;
    for (ServedQueue other : servedQueues.values()) {
      if (other != served && other.limits().reserved() > 0 && !other.idle()) {
        keptFree += Math.max(0, other.limits().reserved() - other.slots().receivers());
      }
    }
    return Math.min(keptFree, receivers == 0 ? most - 1 : most);
  }

  /** Whether a receiver is to leave because workers have been reserved for another queue since. */
  boolean overbooked(ServedQueue served) {
    if (!reserving) {
      return false;
    }
    synchronized (this) {
      int workers = at.settings().workers();
      return served.slots().receivers() > served.limits().reserved()
          && receivers + keptFree(served, workers) > workers;
    }
  }

  /**
   * A look has failed: nobody looks in this queue for a while, and nobody anywhere in an outage.
   */
  void failed(ServedQueue served, Throwable why) {
    if (TransientErrors.isOutage(why)) {
      outage.pause(System.nanoTime());
    }
    served.failed(System.nanoTime());
  }

  void succeeded(ServedQueue served) {
    served.succeeded();
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
  void left(ServedQueue served, boolean again) {
    ServedQueue next;
    synchronized (this) {
      receivers--;
      if (again) {
        waitingForThread.add(served);
      }
      next = nextWaiting();
    }
    if (next != null) {
      wake(next);
    }
  }

  /** The first that there is a worker for. */
  private synchronized @Nullable ServedQueue nextWaiting() {
    for (ServedQueue served : waitingForThread) {
      if (freeFor(served) > 0) {
        waitingForThread.remove(served);
        return served;
      }
    }
    return null;
  }

  /** Receivers at work, and those that linger. */
  synchronized int receivers() {
    return receivers;
  }
}
