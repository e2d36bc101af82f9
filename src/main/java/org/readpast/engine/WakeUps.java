package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.dependency.OpenWave;
import org.readpast.dependency.QueueLane;
import org.readpast.dependency.ReceiverSignals;
import org.readpast.enqueue.WaitingChanges;
import org.readpast.model.RetentionRules;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.JobEnd;
import org.readpast.store.JobEndListener;

/**
 * Wakes this node immediately, and the other nodes through the database.
 *
 * <p>NOTIFY makes committing transactions wait for each other, so it is never executed in a
 * business transaction. NOTIFY is executed after the commit, for many notifications at a time, and
 * not at all if receivers of this node take the jobs.
 */
final class WakeUps implements Signals, ReceiverSignals, WaitingChanges {
  private static final Logger LOG = System.getLogger(WakeUps.class.getName());
  // The following characters cannot occur in queue names.
  private static final String SCHEDULES_CHANGED = "@";
  // Wakes the listener of this node, and has no other effect.
  private static final String WAKE_LISTENER = "+";
  // Announces that jobs were released at positions that are stored in the database.
  private static final String JOBS_RELEASED = "<";
  // PostgreSQL limits a notification to 8,000 bytes, and a message has up to 421.
  private static final int MAX_MESSAGES_OF_NOTICE = 18;

  // Prefixes of other messages; no name of a queue begins with one of them.
  private static final String QUEUE_CHANGED = "!";
  private static final String END_WANTED = "?";
  private static final String JOB_ENDED = "=";
  private static final String WAVE_OPENED = "~";
  private static final long GAP_NANOS = 5_000_000L;
  // Sending this many messages takes a few tenths of a second.
  private static final int MANY_PENDING = 1_000;
  private static final Duration LONGEST_WAIT = Duration.ofDays(1);

  private final Notices notices;
  private final Dispatcher dispatcher;
  private final Threads threads;
  private final JobEndListener listener;
  private final boolean notify;
  private final Set<String> pending = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean sending = new AtomicBoolean();
  private final AtomicReference<@Nullable Thread> lingering = new AtomicReference<>();
  private final AtomicLong nextDue = new AtomicLong(System.nanoTime());
  private volatile long waitedUntil = System.nanoTime();
  private final EndSignals endSignals =
      new EndSignals(job -> send(JOB_ENDED + job), job -> send(END_WANTED + job));
  private volatile boolean queuesChanged = true;
  private Runnable resolver = () -> {};
  private Consumer<List<Claims.ReopenedLane>> skippedJobsAnnouncer = lanes -> {};
  private volatile boolean schedulesChanged = true;
  private volatile boolean jobsReleased;

  WakeUps(
      Notices notices,
      Dispatcher dispatcher,
      Threads threads,
      JobEndListener listener,
      boolean notify) {
    this.notices = notices;
    this.dispatcher = dispatcher;
    this.threads = threads;
    this.listener = listener;
    this.notify = notify;
  }

  @Override
  public RetentionRules retention() {
    return listener.retention();
  }

  @Override
  public boolean wants(JobState state, String queue, String type) {
    return listener.wants(state, queue, type);
  }

  @Override
  public void ended(List<JobEnd> jobs) {
    listener.ended(jobs);
  }

  @Override
  public void restored(List<Claims.ReopenedLane> lanes) {
    skippedJobsAnnouncer.accept(lanes);
  }

  @Override
  public void madeAvailable(String queue, String type, int priority) {
    jobsAvailable(new QueueLane(queue, type, priority), 1);
  }

  /**
   * Sets an action that announces, in a separate transaction, jobs that claims may have skipped.
   */
  void skippedJobsAnnouncer(Consumer<List<Claims.ReopenedLane>> announces) {
    skippedJobsAnnouncer = announces;
  }

  @Override
  public void jobsAvailable(QueueLane at, int jobs) {
    if (!dispatcher.signal(at, jobs) && notify) {
      announceElsewhere(at, jobs);
    }
  }

  /** Announces jobs to other nodes. */
  void announceElsewhere(QueueLane at, int jobs) {
    if (pending.size() >= MANY_PENDING) {
      // The jobs are announced by queue, because announcements of many more lanes would arrive
      // minutes later.
      pending.add(at.queue());
    } else if (jobs > 1 || !pending.add(at.encodeOne())) {
      // If two jobs in the same lane are announced in one notification, it says that there are
      // several.
      pending.add(at.encode());
    }
    startSending();
  }

  @Override
  public boolean claimsFromWaves(QueueLane lane) {
    return notify && dispatcher.claimsFromWaves(lane);
  }

  @Override
  public boolean claimsAnyFromWaves() {
    return notify && dispatcher.claimsAnyFromWaves();
  }

  @Override
  public void opened(OpenWave wave) {
    dispatcher.opened(wave);
    send(WAVE_OPENED + wave.encode());
  }

  /** Announces that a job of this node is retried after a pause. */
  void retried(ClaimedJob job, Duration pause) {
    if (pause.toMillis() > 0) {
      dueIn(pause);
    } else {
      jobsAvailable(new QueueLane(job.queue(), job.type(), job.priority()), 1);
    }
  }

  @Override
  public void dueIn(Duration wait) {
    // The durations are compared before the conversion, because a long duration in nanoseconds
    // would overflow.
    Duration capped = wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    long at = System.nanoTime() + capped.toNanos();
    long first = nextDue.accumulateAndGet(at, (a, b) -> a - b < 0 ? a : b);
    if (first == at && at - waitedUntil < 0) {
      send(WAKE_LISTENER);
    }
  }

  /**
   * Records that the listener is about to wait until a given time; from now on, it is notified of
   * what becomes due before. Returns the time at which something is due next, which may be earlier.
   */
  long noteWait(long until) {
    waitedUntil = until;
    return nextDue.get();
  }

  /** Ends the wait of the listener immediately. */
  void endWait() {
    if (notify) {
      notices.send(WAKE_LISTENER);
    }
  }

  /**
   * Notifies other nodes that this node has ended, because older definitions may now apply to the
   * schedules that it declared. The calling thread sends the notification, because no other thread
   * can be started anymore.
   */
  void nodeEnded() {
    if (notify) {
      notices.send(SCHEDULES_CHANGED);
    }
  }

  /** Returns true if a job is due. */
  boolean isDue(long now) {
    return nextDue.get() - now <= 0;
  }

  /** Sets the time until the next job is due. */
  void nextDueIn(Duration wait) {
    nextDue.set(System.nanoTime() + wait.toNanos());
  }

  @Override
  public void queueChanged(String queue) {
    queuesChanged = true;
    send(QUEUE_CHANGED + queue);
  }

  /** Announces jobs that are available again at their earlier positions. */
  void released(List<Claims.ReopenedLane> lanes) {
    dispatcher.released(lanes);
    send(JOBS_RELEASED);
  }

  /** Returns true once after another node has released jobs. */
  boolean takeJobsReleased() {
    boolean released = jobsReleased;
    jobsReleased = false;
    return released;
  }

  /** Returns true once after queues were added or changed. */
  boolean takeQueuesChanged() {
    boolean changed = queuesChanged;
    queuesChanged = false;
    return changed;
  }

  /** Sets the action that wakes the resolver, which is created after this object. */
  void resolver(Runnable wakes) {
    resolver = wakes;
  }

  @Override
  public void orderChanged() {
    resolver.run();
  }

  @Override
  public void schedulesChanged() {
    schedulesChanged = true;
    send(SCHEDULES_CHANGED);
  }

  /** Returns true once after schedules were added or changed. */
  boolean takeSchedulesChanged() {
    boolean changed = schedulesChanged;
    schedulesChanged = false;
    return changed;
  }

  @Override
  public void jobsAvailable(Collection<String> queues) {
    for (String queue : Set.copyOf(queues)) {
      dispatcher.signal(queue);
      send(queue);
    }
  }

  /** Processes a notification from another node or from this node. */
  void received(String notice) {
    for (String message : notice.split(",")) {
      try {
        receivedMessage(message);
      } catch (IllegalArgumentException e) {
        // Any client that can connect to the database can also send notifications.
        LOG.log(
            Level.DEBUG,
            "a notification was ignored, because no node can have sent it: " + message,
            e);
      }
    }
  }

  private void receivedMessage(String message) {
    if (message.equals(Notices.MISSED)) {
      queuesChanged = true;
      schedulesChanged = true;
      jobsReleased = true;
      dispatcher.signalAll();
    } else if (message.equals(SCHEDULES_CHANGED)) {
      schedulesChanged = true;
    } else if (message.equals(JOBS_RELEASED)) {
      jobsReleased = true;
    } else if (message.equals(WAKE_LISTENER)) {
      // A listener that receives this message is awake already.
      return;
    } else if (message.startsWith(WAVE_OPENED)) {
      dispatcher.openedElsewhere(OpenWave.parse(message.substring(WAVE_OPENED.length())));
    } else if (message.startsWith(QUEUE_CHANGED)) {
      queuesChanged = true;
    } else if (message.startsWith(END_WANTED)) {
      endSignals.requestedElsewhere(Long.parseLong(message.substring(END_WANTED.length())));
    } else if (message.startsWith(JOB_ENDED)) {
      endSignals.signal(Long.parseLong(message.substring(JOB_ENDED.length())));
    } else if (message.indexOf(QueueLane.SEPARATOR) >= 0) {
      QueueLane.parse(message, dispatcher::signal);
    } else {
      dispatcher.signal(message);
    }
  }

  /** Returns the callers and nodes that wait for jobs to end. */
  EndSignals endSignals() {
    return endSignals;
  }

  private void send(String message) {
    if (notify) {
      pending.add(message);
      startSending();
    }
  }

  /** Sends the notifications that were collected before threads could be started. */
  void start() {
    if (!pending.isEmpty()) {
      startSending();
    }
  }

  private void startSending() {
    if (sending.compareAndSet(false, true)) {
      if (!threads.tryStart(this::sendAll)) {
        sending.set(false);
      }
      return;
    }
    // The sender is unparked only once, because its next pause would otherwise return immediately.
    Thread sender = lingering.getAndSet(null);
    if (sender != null) {
      LockSupport.unpark(sender);
    }
  }

  /** Returns true if there is something to send; waits briefly if there is nothing. */
  private boolean somethingToSend() {
    if (pending.isEmpty()) {
      lingering.set(Thread.currentThread());
      if (pending.isEmpty()) {
        LockSupport.parkNanos(Threads.LINGER_NANOS);
      }
      lingering.set(null);
    }
    return !pending.isEmpty();
  }

  private void sendAll() {
    try {
      while (somethingToSend()) {
        List<String> messages = new ArrayList<>();
        for (String message : pending) {
          if (messages.size() < MAX_MESSAGES_OF_NOTICE && pending.remove(message)) {
            messages.add(message);
          }
        }
        notices.send(String.join(",", messages));
        LockSupport.parkNanos(GAP_NANOS);
      }
    } catch (RuntimeException e) {
      // Other nodes find the jobs when they poll.
      dispatcher
          .outage()
          .warn(
              LOG,
              "READPAST-0014 the other nodes could not be notified of new jobs; these nodes"
                  + " find the jobs at their next poll (readpast.poll-interval)",
              e);
    } finally {
      sending.set(false);
      if (!pending.isEmpty()) {
        startSending();
      }
    }
  }
}
