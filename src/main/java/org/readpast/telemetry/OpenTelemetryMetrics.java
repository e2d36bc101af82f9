package org.readpast.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueView;
import org.readpast.api.JobState;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.QueueFigures;
import org.readpast.engine.TypeFigures;

/** Publishes the counters in OpenTelemetry, which reads them when the server exports metrics. */
final class OpenTelemetryMetrics implements MetricsPublisher {
  private final Meter meter;
  private final String application;
  private final EngineStatus engine;
  private final MetricReadings readings;
  private final List<AutoCloseable> instruments = new ArrayList<>();

  OpenTelemetryMetrics(
      OpenTelemetry telemetry, String application, EngineStatus engine, MetricReadings readings) {
    this.meter = telemetry.getMeter("org.readpast");
    this.application = application;
    this.engine = engine;
    this.readings = readings;
  }

  @Override
  public void update() {
    if (!instruments.isEmpty()) {
      return;
    }
    Measure.COUNTED.forEach(measure -> counter(measure, to -> queues(measure, to)));
    Measure.COUNTED_BY_TYPE.forEach(measure -> counter(measure, to -> types(measure, to)));
    Measure.LEVELS.forEach(measure -> level(measure, to -> queues(measure, to)));
    level(Measure.CONCURRENCY_OF_TYPE, this::typeLimits);
    for (var measure : List.of(Measure.BUSY_WORKERS, Measure.WORKERS_LIMIT)) {
      level(measure, to -> to.record(measure.value().applyAsLong(engine), own().build()));
    }
    depths(Measure.JOBS, "{job}", Measure.JOBS_ARE, Measure.STATES, Measure::jobs);
    depths(Measure.OLDEST, "s", Measure.OLDEST_IS, Measure.LIVE, Measure::oldest);
  }

  private void counter(Measure<?> measure, Consumer<ObservableLongMeasurement> record) {
    instruments.add(
        meter
            .counterBuilder(measure.name())
            .setUnit(measure.unit())
            .setDescription(measure.description())
            .buildWithCallback(record));
  }

  private void level(Measure<?> measure, Consumer<ObservableLongMeasurement> record) {
    instruments.add(
        meter
            .upDownCounterBuilder(measure.name())
            .setUnit(measure.unit())
            .setDescription(measure.description())
            .buildWithCallback(record));
  }

  private void queues(Measure<ToLongFunction<QueueFigures>> measure, ObservableLongMeasurement to) {
    String operation = measure.operation();
    readings
        .namedFigures()
        .forEach(
            (queue, figures) -> {
              AttributesBuilder attributes = of(queue);
              if (operation != null) {
                attributes.put(Measure.SYSTEM, Measure.READPAST);
                attributes.put(Measure.OPERATION, operation);
              }
              to.record(measure.value().applyAsLong(figures), attributes.build());
            });
  }

  private void types(Measure<ToLongFunction<TypeFigures>> measure, ObservableLongMeasurement to) {
    readings
        .typeFigures()
        .forEach(
            (type, figures) ->
                to.record(
                    measure.value().applyAsLong(figures), own().put(Measure.TYPE, type).build()));
  }

  private void typeLimits(ObservableLongMeasurement to) {
    readings
        .typeLimits()
        .forEach((type, limit) -> to.record(limit, own().put(Measure.TYPE, type).build()));
  }

  private AttributesBuilder own() {
    return Attributes.builder().put(Measure.APPLICATION, application);
  }

  private AttributesBuilder of(String queue) {
    return own().put(Measure.QUEUE, queue);
  }

  private void depths(
      String name,
      String unit,
      String description,
      List<JobState> states,
      ToDoubleBiFunction<@Nullable QueueView, JobState> value) {
    instruments.add(
        meter
            .gaugeBuilder(name)
            .setUnit(unit)
            .setDescription(description)
            .buildWithCallback(to -> depths(to, states, value)));
  }

  private void depths(
      ObservableDoubleMeasurement to,
      List<JobState> states,
      ToDoubleBiFunction<@Nullable QueueView, JobState> value) {
    readings
        .namedDepths()
        .forEach(
            (queue, view) -> {
              for (JobState state : states) {
                double number = value.applyAsDouble(view, state);
                if (!Double.isNaN(number)) {
                  to.record(number, of(queue).put(Measure.STATE, state.name()).build());
                }
              }
            });
  }

  @Override
  public void stop() {
    for (AutoCloseable instrument : instruments) {
      try {
        instrument.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    instruments.clear();
  }
}
