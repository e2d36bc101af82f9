package org.readpast.telemetry;

import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.readpast.engine.TypeFigures;
import org.readpast.model.Durations;
import org.readpast.model.StoredType;

/** Implements {@link JobTypeMXBean} with the engine's counters. */
final class ManagedJobType implements JobTypeMXBean {
  private final String name;
  private final MetricReadings readings;

  ManagedJobType(String name, MetricReadings readings) {
    this.name = name;
    this.readings = readings;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public int getConcurrency() {
    return readings.typeLimits().getOrDefault(StoredType.nameOf(name), -1);
  }

  @Override
  public long getEnqueued() {
    return figure(TypeFigures::enqueued);
  }

  @Override
  public long getCompleted() {
    return figure(TypeFigures::completed);
  }

  @Override
  public long getFailed() {
    return figure(TypeFigures::failed);
  }

  @Override
  public long getRetried() {
    return figure(TypeFigures::retried);
  }

  @Override
  public long getDiscarded() {
    return figure(TypeFigures::discarded);
  }

  @Override
  public double getWaitMillisMedian() {
    return percentile(TypeFigures::waits, 0.5);
  }

  @Override
  public double getWaitMillis95() {
    return percentile(TypeFigures::waits, 0.95);
  }

  @Override
  public double getWaitMillis99() {
    return percentile(TypeFigures::waits, 0.99);
  }

  @Override
  public double getRunMillisMedian() {
    return percentile(TypeFigures::runs, 0.5);
  }

  @Override
  public double getRunMillis95() {
    return percentile(TypeFigures::runs, 0.95);
  }

  @Override
  public double getRunMillis99() {
    return percentile(TypeFigures::runs, 0.99);
  }

  private long figure(ToLongFunction<TypeFigures> what) {
    TypeFigures figures = readings.typeFigures().get(name);
    return figures == null ? 0 : what.applyAsLong(figures);
  }

  private double percentile(Function<TypeFigures, Durations> what, double share) {
    TypeFigures figures = readings.typeFigures().get(name);
    return figures == null ? 0 : what.apply(figures).percentile(share);
  }
}
