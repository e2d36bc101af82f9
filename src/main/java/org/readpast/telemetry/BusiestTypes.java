package org.readpast.telemetry;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.readpast.engine.TypeFigures;
import org.readpast.model.Durations;

/**
 * Selects the busiest job types, which metrics and JMX show by name. All other types are shown
 * together, because a server's registry keeps each series in memory. Each count is added to the
 * series to which its type belongs at that time, so no series decreases when a type moves to
 * another one.
 */
final class BusiestTypes {
  static final int MOST = 200;
  static final String OTHER = "other";

  private final Set<String> named = new HashSet<>();
  private Map<String, TypeFigures> last = Map.of();
  private final Map<String, TypeFigures> shown = new HashMap<>();

  /** Adds the counts since the last call, and returns the figures by the name of the series. */
  Map<String, TypeFigures> update(Collection<TypeFigures> now) {
    Map<String, TypeFigures> current = new HashMap<>();
    now.forEach(type -> current.put(type.type(), sum(type, nothing(type.type()))));
    current.values().stream()
        .sorted(Comparator.comparing(BusiestTypes::activity).reversed())
        .forEach(type -> name(type, current));
    shown.keySet().removeIf(series -> !named.contains(series) && !series.equals(OTHER));
    current.forEach(
        (type, figures) -> {
          String series = named.contains(type) ? type : OTHER;
          shown.merge(series, since(figures, series), BusiestTypes::sum);
        });
    last = current;
    return Map.copyOf(shown);
  }

  private void name(TypeFigures type, Map<String, TypeFigures> current) {
    if (named.size() == MOST && !named.contains(type.type())) {
      // The factor of two prevents two types of similar activity from replacing each other
      // repeatedly.
      named.stream()
          .map(one -> current.getOrDefault(one, nothing(one)))
          .min(Comparator.comparing(BusiestTypes::activity))
          .filter(idlest -> 2 * activity(idlest) < activity(type))
          .ifPresent(idlest -> named.remove(idlest.type()));
    }
    if (named.size() < MOST) {
      named.add(type.type());
    }
  }

  private static long activity(TypeFigures type) {
    return type.enqueued() + type.completed() + type.failed();
  }

  private TypeFigures since(TypeFigures now, String series) {
    TypeFigures before = last.get(now.type());
    // The counts of an engine begin at zero again if it was declared dead.
    if (before == null || activity(now) < activity(before)) {
      before = nothing(now.type());
    }
    return new TypeFigures(
        series,
        now.enqueued() - before.enqueued(),
        now.completed() - before.completed(),
        now.failed() - before.failed(),
        now.retried() - before.retried(),
        now.discarded() - before.discarded(),
        now.waits().minus(before.waits()),
        now.runs().minus(before.runs()));
  }

  private static TypeFigures nothing(String type) {
    return new TypeFigures(type, 0, 0, 0, 0, 0, new Durations(), new Durations());
  }

  private static TypeFigures sum(TypeFigures one, TypeFigures two) {
    return new TypeFigures(
        one.type(),
        one.enqueued() + two.enqueued(),
        one.completed() + two.completed(),
        one.failed() + two.failed(),
        one.retried() + two.retried(),
        one.discarded() + two.discarded(),
        one.waits().plus(two.waits()),
        one.runs().plus(two.runs()));
  }
}
