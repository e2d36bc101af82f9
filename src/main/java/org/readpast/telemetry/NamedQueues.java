package org.readpast.telemetry;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueView;
import org.readpast.api.JobState;
import org.readpast.engine.QueueFigures;
import org.readpast.store.Nodes.QueueRow;
import org.readpast.store.QueueCounters;

/**
 * Selects the queues that metrics show by name: the first hundred that had any activity. All other
 * queues are shown together, because each queue has about fifty series, and a server's registry
 * uses a kilobyte for each series.
 */
final class NamedQueues {
  static final int MOST = 100;
  static final String OTHER = "other";

  private final Set<String> named = new LinkedHashSet<>();
  private Map<String, QueueFigures> others = new HashMap<>();
  // Sums up the counts of removed queues, so that counters do not decrease when a queue is removed.
  private @Nullable QueueFigures removed;

  /** Updates the selection of queues. A selected queue stays selected for as long as it exists. */
  synchronized void update(Map<String, QueueFigures> now) {
    named.retainAll(now.keySet());
    others.forEach(
        (queue, last) -> {
          if (!now.containsKey(queue)) {
            removed = removed == null ? countsOf(last) : sum(removed, countsOf(last));
          }
        });
    // A queue that has been used stays part of the "other" series, whose counters must not
    // decrease.
    others.values().removeIf(last -> !isUsed(last));
    now.values().stream()
        .sorted(Comparator.comparing(one -> !isUsed(one)))
        .filter(one -> !others.containsKey(one.counters().queue()))
        .forEach(one -> name(one, now));
    others = new HashMap<>(now);
    others.keySet().removeAll(named);
  }

  private void name(QueueFigures one, Map<String, QueueFigures> now) {
    String queue = one.counters().queue();
    if (named.contains(queue)) {
      return;
    }
    if (named.size() == MOST && isUsed(one)) {
      named.stream()
          .filter(other -> !isUsed(Objects.requireNonNull(now.get(other))))
          .findFirst()
          .ifPresent(named::remove);
    }
    if (named.size() < MOST) {
      named.add(queue);
    }
  }

  private static boolean isUsed(QueueFigures one) {
    QueueCounters listening = one.counters();
    return one.enqueued()
            + listening.received()
            + listening.wakeUps()
            + listening.emptyReceives()
            + listening.errors()
        > 0;
  }

  private static QueueFigures countsOf(QueueFigures last) {
    QueueCounters counts = last.counters();
    return new QueueFigures(
        new QueueCounters(
            OTHER,
            0,
            counts.received(),
            counts.completed(),
            counts.failed(),
            counts.discarded(),
            counts.wakeUps(),
            counts.emptyReceives(),
            counts.errors()),
        false,
        true,
        0,
        null,
        last.enqueued(),
        last.retried(),
        last.waits(),
        last.runs());
  }

  /** Returns the figures by the names that metrics use. */
  synchronized Map<String, QueueFigures> figures(Collection<QueueFigures> queues) {
    Map<String, QueueFigures> figures =
        byName(queues, one -> one.counters().queue(), NamedQueues::sum);
    if (removed != null) {
      figures.merge(OTHER, removed, NamedQueues::sum);
    }
    return figures;
  }

  /** Returns the depths by the names that metrics use. */
  Map<String, QueueView> depths(Collection<QueueView> queues) {
    return byName(queues, one -> one.settings().name(), NamedQueues::sum);
  }

  private synchronized <T> Map<String, T> byName(
      Collection<T> queues, Function<T, String> name, BinaryOperator<T> sum) {
    return queues.stream()
        .collect(
            Collectors.toMap(
                one -> named.contains(name.apply(one)) ? name.apply(one) : OTHER,
                Function.identity(),
                sum));
  }

  private static QueueFigures sum(QueueFigures one, QueueFigures two) {
    QueueCounters a = one.counters();
    QueueCounters b = two.counters();
    return new QueueFigures(
        new QueueCounters(
            OTHER,
            a.receivers() + b.receivers(),
            a.received() + b.received(),
            a.completed() + b.completed(),
            a.failed() + b.failed(),
            a.discarded() + b.discarded(),
            a.wakeUps() + b.wakeUps(),
            a.emptyReceives() + b.emptyReceives(),
            a.errors() + b.errors()),
        one.served() || two.served(),
        one.paused() && two.paused(),
        one.concurrency() + two.concurrency(),
        null,
        one.enqueued() + two.enqueued(),
        one.retried() + two.retried(),
        one.waits().plus(two.waits()),
        one.runs().plus(two.runs()));
  }

  private static QueueView sum(QueueView one, QueueView two) {
    Map<JobState, Long> counts = new EnumMap<>(one.counts());
    two.counts().forEach((state, number) -> counts.merge(state, number, Long::sum));
    Map<JobState, Long> oldest = new EnumMap<>(JobState.class);
    oldest.putAll(one.oldestMillis());
    two.oldestMillis().forEach((state, millis) -> oldest.merge(state, millis, Math::max));
    Set<JobState> atLeast = EnumSet.noneOf(JobState.class);
    atLeast.addAll(one.atLeast());
    atLeast.addAll(two.atLeast());
    var settings = new QueueRow(OTHER, false, null, null, null, null, false);
    return new QueueView(settings, counts, atLeast, oldest);
  }
}
