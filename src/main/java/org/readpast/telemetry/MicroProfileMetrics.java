package org.readpast.telemetry;

import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.readpast.api.JobState;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.QueueFigures;
import org.readpast.engine.TypeFigures;

/**
 * Publishes metrics of the engine, of each queue and of the busiest job types at {@code /metrics}.
 */
final class MicroProfileMetrics implements MetricsPublisher {
  private final Tag application;
  private final MetricReadings readings;
  private final MetricSeries<EngineStatus> node;
  private final MetricSeries<QueueFigures> queues;
  private final MetricSeries<TypeFigures> types;
  private final MetricSeries<Integer> typeLimits;

  MicroProfileMetrics(
      MetricRegistry registry, String application, EngineStatus engine, MetricReadings readings) {
    this.application = tag(Measure.APPLICATION, application);
    this.readings = readings;
    this.node =
        new MetricSeries<>(
            registry,
            () -> Map.of("", engine),
            name -> List.of(this.application),
            MicroProfileMetrics::registerNode);
    this.queues =
        new MetricSeries<>(registry, readings::namedFigures, this::ofQueue, this::registerQueue);
    this.types =
        new MetricSeries<>(
            registry, readings::typeFigures, this::ofType, MicroProfileMetrics::registerType);
    this.typeLimits =
        new MetricSeries<>(
            registry,
            readings::typeLimits,
            this::ofType,
            (type, series) -> series.level(type, Measure.CONCURRENCY_OF_TYPE));
  }

  @Override
  public void update() {
    node.update();
    queues.update();
    types.update();
    typeLimits.update();
  }

  @Override
  public void stop() {
    node.stop();
    queues.stop();
    types.stop();
    typeLimits.stop();
  }

  private static void registerNode(String name, MetricSeries<EngineStatus> series) {
    series.level(name, Measure.BUSY_WORKERS);
    series.level(name, Measure.WORKERS_LIMIT);
  }

  private void registerQueue(String queue, MetricSeries<QueueFigures> series) {
    Measure.LEVELS.forEach(level -> series.level(queue, level));
    Measure.TIMES.forEach(time -> series.histogram(queue, time));
    for (JobState state : Measure.STATES) {
      series.gauge(
          queue,
          Measure.JOBS,
          Measure.JOBS_ARE,
          one -> Measure.jobs(readings.namedDepths().get(queue), state),
          tags(queue, state));
    }
    for (JobState state : Measure.LIVE) {
      series.gauge(
          queue,
          Measure.OLDEST + ".seconds",
          Measure.OLDEST_IS,
          one -> Measure.oldest(readings.namedDepths().get(queue), state),
          tags(queue, state));
    }
    Measure.COUNTED.forEach(count -> series.counter(queue, count));
  }

  private static void registerType(String type, MetricSeries<TypeFigures> series) {
    Measure.TIMES_BY_TYPE.forEach(time -> series.histogram(type, time));
    Measure.COUNTED_BY_TYPE.forEach(count -> series.counter(type, count));
  }

  private List<Tag> tags(String queue, JobState state) {
    return List.of(application, tag(Measure.QUEUE, queue), tag(Measure.STATE, state.name()));
  }

  private List<Tag> ofQueue(String queue) {
    return List.of(application, tag(Measure.QUEUE, queue));
  }

  private List<Tag> ofType(String type) {
    return List.of(application, tag(Measure.TYPE, type));
  }

  private static Tag tag(String name, String value) {
    return new Tag(Measure.underscored(name), value);
  }
}
