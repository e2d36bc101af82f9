package org.readpast.telemetry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Durations;

/**
 * Registers the metrics of all objects of one kind, such as all queues. Series are registered when
 * a name first appears in the figures, and removed when it no longer appears. Durations are
 * cumulative histograms with the label {@code le}, as in Prometheus: unlike percentiles, they can
 * be summed over nodes. The histograms take no extra time while jobs run, because the engine keeps
 * these counts anyway.
 *
 * @param <F> the type of the figures of one name
 */
final class MetricSeries<F> {
  private final MetricRegistry registry;
  private final Supplier<Map<String, F>> figures;
  private final Function<String, List<Tag>> tags;
  private final BiConsumer<String, MetricSeries<F>> register;
  private final Map<String, List<Counted<F>>> counted = new HashMap<>();
  private final Map<String, List<MetricID>> registered = new HashMap<>();

  /**
   * Creates the series of one kind.
   *
   * @param tags returns the tags for a name, without those of a measure
   * @param register registers all series for a name
   */
  MetricSeries(
      MetricRegistry registry,
      Supplier<Map<String, F>> figures,
      Function<String, List<Tag>> tags,
      BiConsumer<String, MetricSeries<F>> register) {
    this.registry = registry;
    this.figures = figures;
    this.tags = tags;
    this.register = register;
  }

  /** Registers and removes series, and advances the counters. */
  void update() {
    Map<String, F> now = figures.get();
    Set.copyOf(registered.keySet()).stream().filter(n -> !now.containsKey(n)).forEach(this::remove);
    now.forEach(
        (name, one) -> {
          if (!registered.containsKey(name)) {
            register.accept(name, this);
          }
          counted.getOrDefault(name, List.of()).forEach(counter -> counter.advance(one));
        });
  }

  void stop() {
    Set.copyOf(registered.keySet()).forEach(this::remove);
  }

  private void remove(String name) {
    counted.remove(name);
    List<MetricID> ids = registered.remove(name);
    if (ids != null) {
      ids.forEach(registry::remove);
    }
  }

  /**
   * Advances a counter. MicroProfile has no counter that reads its value from elsewhere, so the
   * increase is added to a counter.
   */
  private static final class Counted<F> {
    // The counter is kept, because looking it up searches all series of the registry.
    private final Counter counter;
    private final ToLongFunction<F> value;
    private long last;

    Counted(Counter counter, ToLongFunction<F> value) {
      this.counter = counter;
      this.value = value;
    }

    void advance(F figures) {
      long now = value.applyAsLong(figures);
      // The counts of an engine begin at zero again if it was declared dead.
      counter.inc(now < last ? now : now - last);
      last = now;
    }
  }

  void counter(String name, Measure<ToLongFunction<F>> measure) {
    String metric = Measure.underscored(measure.name());
    Tag[] all = tags(name, measure).toArray(Tag[]::new);
    counted
        .computeIfAbsent(name, none -> new ArrayList<>())
        .add(
            new Counted<>(
                registry.counter(metadata(metric, measure.description()), all), measure.value()));
    registered(name, metric, all);
  }

  void level(String name, Measure<ToLongFunction<F>> measure) {
    gauge(
        name,
        measure.name(),
        measure.description(),
        one -> measure.value().applyAsLong(one),
        tags(name, measure));
  }

  void histogram(String name, Measure<Function<F, Durations>> time) {
    String metric = time.name() + ".seconds";
    Function<F, Durations.Histogram> histogram = one -> time.value().apply(one).histogram();
    for (int i = 0; i <= Durations.BOUNDS.size(); i++) {
      int bound = i;
      boolean last = bound == Durations.BOUNDS.size();
      List<Tag> all = new ArrayList<>(tags(name, time));
      all.add(new Tag("le", last ? "+Inf" : Durations.BOUNDS.get(bound).toString()));
      gauge(
          name,
          metric + ".bucket",
          time.description() + ": the number of durations up to the bound",
          one -> {
            Durations.Histogram counts = histogram.apply(one);
            return last ? counts.count() : counts.upTo()[bound];
          },
          all);
    }
    gauge(
        name,
        metric + ".count",
        time.description() + ": the number of durations",
        one -> histogram.apply(one).count(),
        tags(name, time));
    gauge(
        name,
        metric + ".sum",
        time.description() + ": the sum of the durations",
        one -> histogram.apply(one).seconds(),
        tags(name, time));
  }

  void gauge(
      String name, String dotted, String description, ToDoubleFunction<F> value, List<Tag> tags) {
    String metric = Measure.underscored(dotted);
    Tag[] all = tags.toArray(Tag[]::new);
    registry.gauge(
        metadata(metric, description),
        () -> {
          @Nullable F one = figures.get().get(name);
          return one == null ? 0 : value.applyAsDouble(one);
        },
        all);
    registered(name, metric, all);
  }

  private List<Tag> tags(String name, Measure<?> measure) {
    String operation = measure.operation();
    List<Tag> all = new ArrayList<>(tags.apply(name));
    if (operation != null) {
      all.add(new Tag(Measure.underscored(Measure.SYSTEM), Measure.READPAST));
      all.add(new Tag(Measure.underscored(Measure.OPERATION), operation));
    }
    return all;
  }

  private void registered(String name, String metric, Tag[] tags) {
    registered.computeIfAbsent(name, none -> new ArrayList<>()).add(new MetricID(metric, tags));
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder().withName(name).withDescription(description).build();
  }
}
