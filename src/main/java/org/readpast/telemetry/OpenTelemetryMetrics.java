package org.readpast.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueView;
import org.readpast.api.JobState;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.QueueFigures;
import org.readpast.engine.Settings;

/** What is counted, for OpenTelemetry; it is asked for when the server exports it. */
final class OpenTelemetryMetrics implements Shown {
  private final Meter meter;
  private final String application;
  private final EngineStatus engine;
  private final Readings readings;
  private final List<AutoCloseable> instruments = new ArrayList<>();

  OpenTelemetryMetrics(
      OpenTelemetry telemetry, String application, EngineStatus engine, Readings readings) {
    this.meter = telemetry.getMeter("org.readpast");
    this.application = application;
    this.engine = engine;
    this.readings = readings;
  }

  @Override
  public void look() {
    if (!instruments.isEmpty()) {
      return;
    }
    for (Measure<ToLongFunction<QueueFigures>> measure : Measure.COUNTED) {
      instruments.add(
          meter
              .counterBuilder(measure.name())
              .setUnit(measure.unit())
              .setDescription(measure.description())
              .buildWithCallback(to -> each(measure, (attributes, n) -> to.record(n, attributes))));
    }
    for (Measure<ToLongFunction<QueueFigures>> measure : Measure.LEVELS) {
      instruments.add(
          meter
              .upDownCounterBuilder(measure.name())
              .setUnit(measure.unit())
              .setDescription(measure.description())
              .buildWithCallback(to -> each(measure, (attributes, n) -> to.record(n, attributes))));
    }
    Attributes own = Attributes.builder().put(Measure.APPLICATION, application).build();
    instruments.add(
        meter
            .upDownCounterBuilder(Measure.BUSY)
            .setDescription("receivers at work")
            .buildWithCallback(to -> to.record(engine.receivers(), own)));
    instruments.add(
        meter
            .upDownCounterBuilder(Measure.LIMIT)
            .setDescription("receivers there may be")
            .buildWithCallback(
                to -> {
                  Settings settings = engine.settings();
                  to.record(settings == null ? 0 : settings.workers(), own);
                }));
    depths(Measure.JOBS, "{job}", Measure.JOBS_ARE, Measure.STATES, Measure::jobs);
    depths(Measure.OLDEST, "s", Measure.OLDEST_IS, Measure.LIVE, Measure::oldest);
  }

  private void each(
      Measure<ToLongFunction<QueueFigures>> measure, ObjLongConsumer<Attributes> record) {
    readings
        .namedFigures()
        .forEach(
            (queue, figures) -> {
              AttributesBuilder attributes = of(queue);
              String operation = measure.operation();
              if (operation != null) {
                attributes.put(Measure.SYSTEM, Measure.READPAST);
                attributes.put(Measure.OPERATION, operation);
              }
              record.accept(attributes.build(), measure.value().applyAsLong(figures));
            });
  }

  private AttributesBuilder of(String queue) {
    return Attributes.builder().put(Measure.APPLICATION, application).put(Measure.QUEUE, queue);
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
