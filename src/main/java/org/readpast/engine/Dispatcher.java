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
import org.readpast.database.Outage;
import org.readpast.database.TransientErrors;
import org.readpast.dependency.OpenWave;
import org.readpast.dependency.QueueLane;
import org.readpast.engine.Settings.QueueSettings;
import org.readpast.store.Claims;
import org.readpast.store.Nodes.QueueRow;
import org.readpast.store.QueueCounters;
import org.readpast.store.ReportedCounters;

/**
 * Starts receivers on the container's threads when jobs arrive, up to the concurrency of each queue
 * and of the node. Each wake-up starts one receiver. Each receiver that finds jobs requests another
 * receiver if there may be jobs for which none was woken.
 */
final class Dispatcher {
  private static final Logger LOG = System.getLogger(Dispatcher.class.getName());

  private final EngineContext at;
  private final Threads threads;
  private final Watermark watermark;
  private final Outage outage;
  private final Set<String> types;
  private final Map<String, ServedQueue> servedQueues = new ConcurrentHashMap<>();
  // The queue is changed under this object's lock, but isEmpty is called without the lock.
  private final Deque<ServedQueue> waitingForThread = new ConcurrentLinkedDeque<>();
  private final Map<Thread, Receiver> running = new ConcurrentHashMap<>();
  private int receivers;
  private volatile boolean reserving;

  Dispatcher(EngineContext at, Threads threads, Watermark watermark) {
    this.at = at;
    this.threads = threads;
    this.watermark = watermark;
    this.outage = at.node().outage();
    this.types = at.handlers().types();
    at.typeLimits().wakes(this::resume);
  }

  /** Applies the current queues and their settings, as read from the database. */
  void setQueues(Collection<QueueRow> queues) {
    for (QueueRow row : queues) {
      ServedQueue served = servedQueues.computeIfAbsent(row.name(), this::newQueue);
      QueueSettings configured = at.settings().queue(row.name());
      var limits =
          new ServedQueue.QueueLimits(
              row.paused(),
              first(row.concurrency(), configured.concurrency(), at.settings().concurrency()),
              first(row.reserved(), configured.reserved(), 0),
              row.limit());
      served.usedAnywhere(row.recentlyUsed());
      if (served.set(limits)) {
        signal(row.name());
      }
    }
    reserving = servedQueues.values().stream().anyMatch(served -> served.limits().reserved() > 0);
    // If fewer workers are reserved after the change, waiting queues can have some of them.
    wakeWaiting();
  }

  /** Forgets queues that no longer exist and are not in use. */
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
   * Creates a queue in this dispatcher. If this node does not serve the queue, it has no types;
   * applications can still receive from it.
   */
  private ServedQueue newQueue(String queue) {
    Set<String> worked = at.settings().serves(queue) ? types : Set.of();
    return new ServedQueue(queue, worked, watermark, at.speeds(), at.typeLimits(), at.node());
  }

  Outage outage() {
    return outage;
  }

  /** Returns the counts and limits of every queue. */
  List<QueueFigures> figures() {
    return servedQueues.values().stream().map(this::figures).toList();
  }

  private QueueFigures figures(ServedQueue served) {
    Counters.OfQueue counts = at.counters().peek(served.queue());
    return new QueueFigures(
        queueCounters(served, counts),
        !served.handlesNoTypes(),
        served.paused(),
        served.limits().concurrency(),
        served.limit(),
        counts.enqueued.sum(),
        counts.retried.sum(),
        counts.waits,
        counts.runs);
  }

  private static QueueCounters queueCounters(ServedQueue served, Counters.OfQueue counts) {
    return new QueueCounters(
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

  /**
   * Returns the counts to be stored in the database, for each queue in which something has
   * happened, including queues that this node does not serve.
   */
  List<ReportedCounters> reportedCounters() {
    List<ReportedCounters> all = new ArrayList<>();
    for (ServedQueue served : servedQueues.values()) {
      Counters.OfQueue counts = at.counters().peek(served.queue());
      QueueCounters counters = queueCounters(served, counts);
      long activity = counters.receivers() + counters.wakeUps() + counters.emptyReceives();
      if (counts.enqueued.sum() + activity + counters.discarded() + counters.errors() > 0) {
        all.add(
            new ReportedCounters(
                counters, counts.enqueued.sum(), counts.waits.text(), counts.runs.text()));
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

  /** Signals that jobs may have arrived in any queue. */
  void signalAll() {
    servedQueues.keySet().forEach(this::signal);
  }

  /** Signals that jobs may have arrived in a queue. */
  void signal(String queue) {
    ServedQueue served = servedQueues.get(queue);
    if (served != null) {
      at.counters().of(queue).wakeUps.increment();
      served.signal();
      wake(served);
    }
  }

  /**
   * Signals that jobs have arrived in a lane.
   *
   * @return false if this node cannot start a receiver for each of the jobs now
   */
  boolean signal(QueueLane lane, int jobs) {
    ServedQueue served = servedQueues.get(lane.queue());
    if (served == null) {
      return false;
    }
    served.signal(lane.type(), lane.priority(), jobs);
    if (served.handlesNoTypes() || !at.handlers().knows(lane.type())) {
      return false;
    }
    at.counters().of(lane.queue()).wakeUps.increment();
    if (at.typeLimits().mustSkip(lane.type(), lane.queue())
        || served.cursors().skips(lane.type())) {
      served.slots().setWakeUpPending();
      return false;
    }
    boolean room;
    synchronized (this) {
      int free = served.slots().lingers() ? freeFor(served) + 1 : freeFor(served);
      room = served.slots().hasRoom(jobs, System.nanoTime()) && free >= jobs;
    }
    return wake(served) && room;
  }

  /** Signals that jobs are available again at their earlier positions. */
  void released(List<Claims.ReopenedLane> lanes) {
    for (Claims.ReopenedLane lane : lanes) {
      ServedQueue served = servedQueues.get(lane.queue());
      if (served != null) {
        served.released(lane);
        at.counters().of(lane.queue()).wakeUps.increment();
        served.signal();
        wake(served);
      }
    }
  }

  /** Returns true if this node claims jobs of the lane directly from their waves. */
  boolean claimsFromWaves(QueueLane lane) {
    ServedQueue served = servedQueues.get(lane.queue());
    return served != null && !at.node().stopping() && served.claimsFromWaves(lane.type());
  }

  /** Returns true if this node claims jobs of any lane directly from their waves. */
  boolean claimsAnyFromWaves() {
    return servedQueues.values().stream().anyMatch(ServedQueue::claimsFromWaves);
  }

  /** Signals that another node has opened a wave; ignored if this node has opened it. */
  void openedElsewhere(OpenWave wave) {
    if (wave.node() != at.node().no()) {
      opened(wave);
    }
  }

  /** Signals that a wave is open whose jobs this node may claim. */
  void opened(OpenWave wave) {
    ServedQueue served = servedQueues.get(wave.lane().queue());
    if (served != null && served.opened(wave)) {
      at.counters().of(served.queue()).wakeUps.increment();
      wake(served);
    }
  }

  /**
   * Calls back a lingering receiver or starts a new one, if another receiver is allowed; returns
   * true if it did.
   */
  boolean wake(ServedQueue served) {
    if (at.node().stopping() || served.handlesNoTypes()) {
      return false;
    }
    if (served.slots().callBack()) {
      return true;
    }
    synchronized (this) {
      if (freeFor(served) <= 0) {
        served.slots().setWakeUpPending();
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

  /**
   * Makes a queue scan again for the jobs of a limited type; returns true if a receiver was woken.
   */
  private boolean resume(String queue) {
    ServedQueue served = servedQueues.get(queue);
    if (served == null) {
      return false;
    }
    // The signal requests a full scan. A quick scan that finds nothing would be followed by an
    // extra scan that skips the type, so idle queues would wake each other forever.
    served.signal();
    return wake(served);
  }

  /** Returns the number of workers that are not reserved for another queue. */
  private int freeFor(ServedQueue served) {
    // Even if more workers are reserved than exist, an idle node offers one worker to every queue.
    int free = at.settings().workers() - receivers;
    return reserving && served.slots().receivers() >= served.limits().reserved()
        ? free - keptFree(served, free)
        : free;
  }

  private int keptFree(ServedQueue served, int most) {
    int keptFree = 0;
    for (ServedQueue other : servedQueues.values()) {
      if (other != served && other.limits().reserved() > 0 && !other.handlesNoTypes()) {
        keptFree += Math.max(0, other.limits().reserved() - other.slots().receivers());
      }
    }
    return Math.min(keptFree, receivers == 0 ? most - 1 : most);
  }

  /**
   * Returns true if a receiver must leave, because its worker is now reserved for another queue.
   * The only receiver of the node stays until a queue waits for a worker that is reserved for it.
   */
  boolean overbooked(ServedQueue served) {
    if (!reserving) {
      return false;
    }
    synchronized (this) {
      int workers = at.settings().workers();
      return served.slots().receivers() > served.limits().reserved()
          && receivers + keptFree(served, workers) > workers
          && (receivers > 1 || reservedQueueWaits());
    }
  }

  private boolean reservedQueueWaits() {
    return waitingForThread.stream()
        .anyMatch(waiting -> waiting.slots().receivers() < waiting.limits().reserved());
  }

  /**
   * Records that a scan has failed. A failed scan pauses the queue for a while, and during an
   * outage all queues.
   */
  void failed(ServedQueue served, Throwable why) {
    if (TransientErrors.isOutage(why)) {
      outage.pause(System.nanoTime());
    }
    served.failed(System.nanoTime());
  }

  void succeeded(ServedQueue served) {
    served.succeeded(System.nanoTime());
    outage.succeeded();
  }

  void running(Receiver receiver) {
    running.put(Thread.currentThread(), receiver);
  }

  void ended() {
    running.remove(Thread.currentThread());
  }

  /**
   * Abandons a thread whose handler does not return, so that another receiver can take its place.
   */
  void abandon(Thread thread) {
    Receiver receiver = running.get(thread);
    if (receiver != null) {
      receiver.leave();
    }
  }

  /** Returns true if a queue waits for a worker. This method acquires no lock. */
  boolean queueWaits() {
    return !waitingForThread.isEmpty();
  }

  /**
   * Returns how long a receiver may linger; zero if a queue waits for its worker. This method
   * acquires no lock.
   */
  long lingerNanos() {
    return queueWaits() ? 0 : Threads.LINGER_NANOS;
  }

  /** Records that a receiver has left; its thread may now serve a queue that waits for a worker. */
  void left(ServedQueue served, boolean mayHaveJobs) {
    synchronized (this) {
      receivers--;
      if (mayHaveJobs && !waitingForThread.contains(served)) {
        waitingForThread.add(served);
      }
    }
    wakeWaiting();
  }

  /** Wakes the waiting queues for which a worker is free; some may have been paused meanwhile. */
  private void wakeWaiting() {
    for (ServedQueue next = nextWaiting(); next != null; next = nextWaiting()) {
      wake(next);
    }
  }

  /** Removes and returns the first waiting queue for which a worker is free. */
  private synchronized @Nullable ServedQueue nextWaiting() {
    for (ServedQueue served : waitingForThread) {
      if (freeFor(served) > 0) {
        waitingForThread.remove(served);
        return served;
      }
    }
    return null;
  }

  /** Returns the number of receivers, including one that lingers. */
  synchronized int receivers() {
    return receivers;
  }
}
