package org.readpast.engine;

import java.time.Duration;
import java.util.List;
import org.readpast.api.ReceiveMode;

/**
 * One queue as this node serves it: how many receivers may work it, how many do, and where they
 * look.
 *
 * <p>A signal that comes while a receiver finds nothing keeps that receiver from leaving, so no
 * wake-up is lost.
 */
final class Line {
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  private static final Duration PREFETCH_SPAN = Duration.ofMillis(100);
  private static final int MOST_PREFETCH = 500;

  private final String queue;
  private final Lanes taken;
  private final Lanes leased;
  private volatile int concurrency;
  private volatile boolean paused;
  private volatile long signals;
  private int receivers;
  private int failures;
  private long pausedUntil;
  private boolean leasedNext;
  private double nanosPerJob = PREFETCH_SPAN.toNanos();

  Line(String queue, List<String> takenTypes, List<String> leasedTypes, Watermark watermark) {
    this.queue = queue;
    this.taken = new Lanes(takenTypes, watermark);
    this.leased = new Lanes(leasedTypes, watermark);
  }

  String queue() {
    return queue;
  }

  Lanes lanes(ReceiveMode mode) {
    return mode == ReceiveMode.LEASED ? leased : taken;
  }

  /** Whether this node handles none of the types. */
  boolean idle() {
    return taken.none() && leased.none();
  }

  /** The modes to try, the one whose turn it is first. */
  synchronized List<ReceiveMode> modes() {
    if (leased.none()) {
      return taken.none() ? List.of() : List.of(ReceiveMode.TRANSACTIONAL);
    }
    if (taken.none()) {
      return List.of(ReceiveMode.LEASED);
    }
    leasedNext = !leasedNext;
    return leasedNext
        ? List.of(ReceiveMode.LEASED, ReceiveMode.TRANSACTIONAL)
        : List.of(ReceiveMode.TRANSACTIONAL, ReceiveMode.LEASED);
  }

  /** Takes note of its settings; true when more may be done than before. */
  synchronized boolean set(boolean nowPaused, int nowConcurrency) {
    boolean more = (paused && !nowPaused) || nowConcurrency > concurrency;
    paused = nowPaused;
    concurrency = nowConcurrency;
    return more;
  }

  /** Something may have come, anywhere. */
  synchronized void signal() {
    signals++;
    taken.lookEverywhere();
    leased.lookEverywhere();
  }

  /** A job has come to this lane. */
  synchronized void signal(String type, int priority) {
    signals++;
    taken.expect(type, priority);
    leased.expect(type, priority);
  }

  /** Looks everywhere from the start again. */
  void startOver() {
    taken.startOver();
    leased.startOver();
    signal();
  }

  long signals() {
    return signals;
  }

  /**
   * Whether the last look of each mode went everywhere; else one that found nothing proves nothing.
   */
  boolean fullyLooked() {
    return taken.fullyLooked() && leased.fullyLooked();
  }

  /** Counts one more receiver in, if there may be one. */
  synchronized boolean enter(long now) {
    if (paused || receivers >= concurrency || now - pausedUntil < 0) {
      return false;
    }
    receivers++;
    return true;
  }

  /** Whether a receiver is to leave although there is work. */
  boolean overstaffed() {
    return paused || receivers() > concurrency;
  }

  synchronized void leave() {
    receivers--;
  }

  /** Counts a receiver out that has found nothing, unless a signal came since it looked. */
  synchronized boolean leaveIfQuiet(long seen) {
    if (signals != seen) {
      return false;
    }
    receivers--;
    return true;
  }

  synchronized int receivers() {
    return receivers;
  }

  /** Whether one more receiver could start now. */
  synchronized boolean hasRoom(long now) {
    return !paused && receivers < concurrency && now - pausedUntil >= 0;
  }

  boolean paused() {
    return paused;
  }

  /**
   * An error: nobody looks here for a while, longer each time, so that a broken database causes no
   * busy loop.
   */
  synchronized void failed(long now) {
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
    failures++;
    pausedUntil = now + Duration.ofMillis(pause).toNanos();
  }

  /** It works again. */
  synchronized void succeeded() {
    failures = 0;
  }

  /** True once when the pause after an error is over. */
  synchronized boolean errorPauseOver(long now) {
    return failures > 0 && receivers == 0 && now - pausedUntil >= 0;
  }

  /** How many leased jobs this node is likely to start within a tenth of a second. */
  synchronized int prefetch() {
    return (int) Math.max(1, Math.min(MOST_PREFETCH, PREFETCH_SPAN.toNanos() / nanosPerJob));
  }

  /** Takes note of how long leased jobs took. */
  synchronized void ran(long nanos, int jobs) {
    nanosPerJob += 0.3 * (Math.max(1.0, (double) nanos / jobs) - nanosPerJob);
  }
}
