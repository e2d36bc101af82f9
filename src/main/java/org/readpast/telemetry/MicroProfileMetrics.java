package org.readpast.telemetry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.QueueFigures;
import org.readpast.engine.Settings;
import org.readpast.model.Durations;

/**
 * Metrics at {@code /metrics}. Times are shown by how many were no longer than so much (label
 * {@code le}), as Prometheus has it: these add up over nodes, which percentiles do not, and cost
 * nothing while jobs are worked, as the engine keeps such counts anyway.
 */
final class MicroProfileMetrics implements Shown {
  private final MetricRegistry registry;
  private final Tag application;
  private final EngineStatus engine;
  private final Readings readings;
  private final Map<String, List<Counted>> counted = new HashMap<>();
  private final Map<String, List<MetricID>> registered = new HashMap<>();

  MicroProfileMetrics(
      MetricRegistry registry, String application, EngineStatus engine, Readings readings) {
    this.registry = registry;
    this.application = new Tag(Measure.underscored(Measure.APPLICATION), application);
    this.engine = engine;
    this.readings = readings;
  }

  @Override
  public void look() {
    if (registered.isEmpty()) {
      gauge("", Measure.BUSY, "receivers at work", engine::receivers, List.of(application));
      gauge("", Measure.LIMIT, "receivers there may be", this::workers, List.of(application));
    }
    Map<String, QueueFigures> now = readings.namedFigures();
    Set.copyOf(counted.keySet()).stream()
        .filter(queue -> !now.containsKey(queue))
        .forEach(this::remove);
    now.forEach(
        (queue, figures) ->
            counted
                .computeIfAbsent(queue, this::register)
                .forEach(counter -> counter.follow(figures)));
  }

  private void remove(String queue) {
    counted.remove(queue);
    registered.getOrDefault(queue, List.of()).forEach(registry::remove);
    registered.remove(queue);
  }

  private double workers() {
    Settings settings = engine.settings();
    return settings == null ? 0 : settings.workers();
  }

  @Override
  public void stop() {
    registered.values().forEach(ids -> ids.forEach(registry::remove));
    registered.clear();
    counted.clear();
  }

  private List<Counted> register(String queue) {
    for (Measure<ToLongFunction<QueueFigures>> level : Measure.LEVELS) {
      gauge(
          queue,
          level.name(),
          level.description(),
          () -> figure(queue, one -> level.value().applyAsLong(one)),
          tags(queue, level));
    }
    Measure.TIMES.forEach(
        time -> {
          String name = time.name() + ".seconds";
          for (int i = 0; i <= Durations.BOUNDS.size(); i++) {
            int bound = i;
            List<Tag> tags = new ArrayList<>(tags(queue, time));
            boolean last = bound == Durations.BOUNDS.size();
            tags.add(new Tag("le", last ? "+Inf" : Durations.BOUNDS.get(bound).toString()));
            gauge(
                queue,
                name + ".bucket",
                time.description() + ": how many were no longer than that",
                () ->
                    figure(
                        queue,
                        one -> {
                          Durations.Histogram all = time.value().apply(one).histogram();
                          return last ? all.count() : all.upTo()[bound];
                        }),
                tags);
          }
          gauge(
              queue,
              name + ".count",
              time.description() + ": how many there were",
              () -> figure(queue, one -> time.value().apply(one).histogram().count()),
              tags(queue, time));
          gauge(
              queue,
              name + ".sum",
              time.description() + ": all together",
              () -> figure(queue, one -> time.value().apply(one).histogram().seconds()),
              tags(queue, time));
        });
    for (JobState state : Measure.STATES) {
      gauge(
          queue,
          Measure.JOBS,
          Measure.JOBS_ARE,
          () -> Measure.jobs(readings.namedDepths().get(queue), state),
          tags(queue, state));
    }
    for (JobState state : Measure.LIVE) {
      gauge(
          queue,
          Measure.OLDEST + ".seconds",
          Measure.OLDEST_IS,
          () -> Measure.oldest(readings.namedDepths().get(queue), state),
          tags(queue, state));
    }
    List<Counted> counters = new ArrayList<>();
    for (Measure<ToLongFunction<QueueFigures>> measure : Measure.COUNTED) {
      String name = Measure.underscored(measure.name());
      Tag[] tags = tags(queue, measure).toArray(Tag[]::new);
      counters.add(
          new Counted(
              registry.counter(metadata(name, measure.description()), tags), measure.value()));
      registered(queue, name, tags);
    }
    return counters;
  }

  /**
   * MicroProfile has no counter that could be read from somewhere: what has come is added. The
   * counter is kept, as to ask the registry for it takes a search through all that are in it.
   */
  private static final class Counted {
    private final Counter counter;
    private final ToLongFunction<QueueFigures> value;
    private long told;

    Counted(Counter counter, ToLongFunction<QueueFigures> value) {
      this.counter = counter;
      this.value = value;
    }

    void follow(QueueFigures figures) {
      long now = value.applyAsLong(figures);
      // An engine that was declared dead counts from zero again.
      counter.inc(now < told ? now : now - told);
      told = now;
    }
  }

  private List<Tag> tags(String queue, Measure<?> measure) {
    String operation = measure.operation();
    List<Tag> tags = new ArrayList<>(tags(queue));
    if (operation != null) {
      tags.add(new Tag(Measure.underscored(Measure.SYSTEM), Measure.READPAST));
      tags.add(new Tag(Measure.underscored(Measure.OPERATION), operation));
    }
    return tags;
  }

  private List<Tag> tags(String queue, JobState state) {
    List<Tag> tags = new ArrayList<>(tags(queue));
    tags.add(new Tag(Measure.underscored(Measure.STATE), state.name()));
    return tags;
  }

  private List<Tag> tags(String queue) {
    return List.of(application, new Tag(Measure.underscored(Measure.QUEUE), queue));
  }

  private double figure(String queue, ToDoubleFunction<QueueFigures> what) {
    @Nullable QueueFigures figures = readings.namedFigures().get(queue);
    return figures == null ? 0 : what.applyAsDouble(figures);
  }

  /**
   * @param queue whose it is; empty: the engine's
   */
  private void gauge(
      String queue, String dotted, String description, DoubleSupplier value, List<Tag> tags) {
    String name = Measure.underscored(dotted);
    Tag[] all = tags.toArray(Tag[]::new);
    registry.gauge(metadata(name, description), value::getAsDouble, all);
    registered(queue, name, all);
  }

  private void registered(String queue, String name, Tag[] tags) {
    registered.computeIfAbsent(queue, none -> new ArrayList<>()).add(new MetricID(name, tags));
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder().withName(name).withDescription(description).build();
  }
}
