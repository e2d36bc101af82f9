package org.readpast.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;
import org.readpast.engine.Threads;
import org.readpast.model.RetentionRules;
import org.readpast.store.JobEnd;
import org.readpast.store.JobEndListener;

/**
 * Notifies observers of jobs that have ended. Events are delivered on a separate thread, so that
 * the worker or caller that committed the end does not wait for the observers. The thread runs only
 * while events are waiting.
 */
public final class JobEventDispatcher implements JobEndListener {
  /**
   * Limits the number of events that wait for delivery; further events are dropped, to limit the
   * use of memory.
   */
  static final int MOST_WAITING = 10_000;

  private static final Logger LOG = System.getLogger(JobEventDispatcher.class.getName());

  private final RetentionRules rules;
  private final JobObservers observers;
  private final Threads threads;
  private final Function<JobEnd, JobEvent> reader;
  private final Map<JobState, List<EventFilter>> filters = new EnumMap<>(JobState.class);
  private final Queue<JobEnd> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicBoolean delivering = new AtomicBoolean();
  private final AtomicBoolean dropping = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * Creates the dispatcher for the given observers.
   *
   * @param reader creates an event from the end of a job, on the thread that calls the observers
   * @param rules the retention of jobs that end here
   */
  public JobEventDispatcher(
      JobObservers observers,
      Function<JobEnd, JobEvent> reader,
      Threads threads,
      RetentionRules rules) {
    this.rules = rules;
    this.reader = reader;
    this.observers = observers;
    this.threads = threads;
    for (EventFilter filter : observers.filters()) {
      for (JobState state : JobState.values()) {
        if (filter.states().isEmpty() || filter.states().contains(state)) {
          filters.computeIfAbsent(state, any -> new ArrayList<>()).add(filter);
        }
      }
    }
  }

  @Override
  public RetentionRules retention() {
    return rules;
  }

  @Override
  public boolean wants(JobState state, String queue, String type) {
    for (EventFilter filter : filters.getOrDefault(state, List.of())) {
      if (filter.includes(state, queue, type)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void ended(List<JobEnd> jobs) {
    for (JobEnd job : jobs) {
      if (size.incrementAndGet() <= MOST_WAITING) {
        waiting.add(job);
      } else {
        size.decrementAndGet();
        if (!dropping.getAndSet(true)) {
          LOG.log(
              Level.WARNING,
              "READPAST-0076 10,000 events of ended jobs wait for CDI observers. Further events"
                  + " are dropped, from job {0} on, until the observers have caught up; make"
                  + " them faster, or narrow them with @InState",
              Long.toString(job.id()));
        }
      }
    }
    begin();
  }

  private void begin() {
    if (!waiting.isEmpty()
        && !closed
        && delivering.compareAndSet(false, true)
        && !threads.tryStart(this::deliverAll)) {
      delivering.set(false);
    }
  }

  private void deliverAll() {
    try {
      for (JobEnd job = waiting.poll(); job != null; job = waiting.poll()) {
        size.decrementAndGet();
        if (closed) {
          return;
        }
        deliver(job);
      }
      dropping.set(false);
    } finally {
      delivering.set(false);
    }
    // Another event may have been added after the last check of the queue.
    begin();
  }

  private void deliver(JobEnd job) {
    try {
      observers.deliver(reader.apply(job));
    } catch (Throwable t) {
      LOG.log(
          Level.WARNING,
          "READPAST-0077 a CDI observer threw an exception for the event of job "
              + job.id()
              + ", "
              + job.state()
              + ". The job keeps its state, and the event is not repeated",
          t);
    }
  }

  /** Delivers the waiting events for at most the given time; later events are not delivered. */
  public void close(Duration longest) {
    long start = System.nanoTime();
    while ((delivering.get() || !waiting.isEmpty())
        && System.nanoTime() - start < longest.toNanos()
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(10_000_000L);
    }
    closed = true;
    waiting.clear();
  }
}
