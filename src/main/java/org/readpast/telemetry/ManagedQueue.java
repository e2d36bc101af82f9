package org.readpast.telemetry;

import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.readpast.admin.store.QueueView;
import org.readpast.api.JobState;
import org.readpast.engine.QueueFigures;
import org.readpast.model.Durations;
import org.readpast.store.QueueCounters;

/** Implements {@link QueueMXBean} with the engine's counters and the depth of the queue. */
final class ManagedQueue implements QueueMXBean {
  private static final long UNKNOWN = -1;

  private final String name;
  private final MetricReadings readings;
  private final JmxOperations operations;

  ManagedQueue(String name, MetricReadings readings, JmxOperations operations) {
    this.name = name;
    this.readings = readings;
    this.operations = operations;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean isServed() {
    return figure(figures -> figures.served() ? 1 : 0) == 1;
  }

  @Override
  public boolean isPaused() {
    return figure(figures -> figures.paused() ? 1 : 0) == 1;
  }

  @Override
  public void pause() {
    operations.pause(name, true);
  }

  @Override
  public void resume() {
    operations.pause(name, false);
  }

  @Override
  public int getConcurrency() {
    return (int) figure(QueueFigures::concurrency);
  }

  @Override
  public void setConcurrency(int jobs) {
    operations.concurrency(name, jobs);
  }

  @Override
  public void resetConcurrency() {
    operations.concurrency(name, null);
  }

  @Override
  public long getAvailableJobs() {
    return depth(JobState.AVAILABLE);
  }

  @Override
  public long getScheduledJobs() {
    return depth(JobState.SCHEDULED);
  }

  @Override
  public long getBlockedJobs() {
    return depth(JobState.BLOCKED);
  }

  @Override
  public long getRunningJobs() {
    return depth(JobState.RUNNING);
  }

  @Override
  public long getDiscardedJobs() {
    return depth(JobState.DISCARDED);
  }

  @Override
  public double getOldestAvailableSeconds() {
    QueueView view = readings.depths().get(name);
    return view == null
        ? UNKNOWN
        : view.oldestMillis().getOrDefault(JobState.AVAILABLE, 0L) / 1_000.0;
  }

  @Override
  public int getReceivers() {
    return (int) counted(QueueCounters::receivers);
  }

  @Override
  public long getEnqueued() {
    return figure(QueueFigures::enqueued);
  }

  @Override
  public long getReceived() {
    return counted(QueueCounters::received);
  }

  @Override
  public long getCompleted() {
    return counted(QueueCounters::completed);
  }

  @Override
  public long getFailed() {
    return counted(QueueCounters::failed);
  }

  @Override
  public long getRetried() {
    return figure(QueueFigures::retried);
  }

  @Override
  public long getDiscarded() {
    return counted(QueueCounters::discarded);
  }

  @Override
  public long getWakeUps() {
    return counted(QueueCounters::wakeUps);
  }

  @Override
  public long getEmptyReceives() {
    return counted(QueueCounters::emptyReceives);
  }

  @Override
  public long getErrors() {
    return counted(QueueCounters::errors);
  }

  @Override
  public double getWaitMillisMedian() {
    return waited(0.5);
  }

  @Override
  public double getWaitMillis95() {
    return waited(0.95);
  }

  @Override
  public double getWaitMillis99() {
    return waited(0.99);
  }

  @Override
  public double getRunMillisMedian() {
    return ran(0.5);
  }

  @Override
  public double getRunMillis95() {
    return ran(0.95);
  }

  @Override
  public double getRunMillis99() {
    return ran(0.99);
  }

  private long depth(JobState state) {
    QueueView view = readings.depths().get(name);
    return view == null ? UNKNOWN : view.counts().getOrDefault(state, 0L);
  }

  private long counted(ToLongFunction<QueueCounters> count) {
    return figure(figures -> count.applyAsLong(figures.counters()));
  }

  private long figure(ToLongFunction<QueueFigures> what) {
    QueueFigures figures = readings.figures().get(name);
    return figures == null ? 0 : what.applyAsLong(figures);
  }

  private double waited(double share) {
    return time(figures -> percentile(figures.waits(), share));
  }

  private double ran(double share) {
    return time(figures -> percentile(figures.runs(), share));
  }

  private double time(ToDoubleFunction<QueueFigures> what) {
    QueueFigures figures = readings.figures().get(name);
    return figures == null ? 0 : what.applyAsDouble(figures);
  }

  private static double percentile(Durations durations, double share) {
    return durations.percentile(share);
  }
}
