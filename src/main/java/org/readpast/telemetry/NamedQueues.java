package org.readpast.telemetry;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueView;
import org.readpast.api.JobState;
import org.readpast.engine.QueueFigures;
import org.readpast.store.Listening;
import org.readpast.store.Nodes.QueueRow;

/**
 * The queues that metrics name: the first hundred in which something happened. All others are shown
 * as one, because each takes some fifty series, and a registry of a server keeps a kilobyte for
 * each of them.
 */
final class NamedQueues {
  static final int MOST = 100;
  static final String OTHER = "other";

  private final Set<String> named = new LinkedHashSet<>();
  private Map<String, QueueFigures> others = Map.of();
  // So that what only grows does not shrink when a queue is removed.
  private @Nullable QueueFigures removed;

  /** Takes note of the queues there are. One keeps its name for as long as it exists. */
  synchronized void update(Collection<QueueFigures> queues) {
    Map<String, Boolean> used =
        queues.stream()
            .collect(Collectors.toMap(one -> one.listening().queue(), NamedQueues::isUsed));
    named.retainAll(used.keySet());
    used.forEach((queue, active) -> named(queue, active, used));
    others.forEach(
        (queue, last) -> {
          if (!used.containsKey(queue)) {
            QueueFigures counts = countsOf(last);
            removed = removed == null ? counts : sum(removed, counts);
          }
        });
    others =
        queues.stream()
            .filter(one -> !named.contains(one.listening().queue()))
            .collect(Collectors.toMap(one -> one.listening().queue(), Function.identity()));
  }

  private static QueueFigures countsOf(QueueFigures last) {
    return new QueueFigures(
        last.listening(),
        false,
        true,
        0,
        null,
        last.enqueued(),
        last.retried(),
        last.waits(),
        last.runs());
  }

  private void named(String queue, boolean active, Map<String, Boolean> used) {
    if (active && named.size() == MOST && !named.contains(queue)) {
      removeUnused(used);
    }
    if (named.size() < MOST) {
      named.add(queue);
    }
  }

  private void removeUnused(Map<String, Boolean> used) {
    for (Iterator<String> all = named.iterator(); all.hasNext(); ) {
      if (!used.getOrDefault(all.next(), true)) {
        all.remove();
        return;
      }
    }
  }

  private static boolean isUsed(QueueFigures one) {
    return one.enqueued() + one.listening().received() + one.listening().wakeUps() > 0;
  }

  /** The figures by the names that metrics give them. */
  synchronized Map<String, QueueFigures> figures(Collection<QueueFigures> queues) {
    Map<String, QueueFigures> figures =
        byName(queues, one -> one.listening().queue(), NamedQueues::sum);
    if (removed != null) {
      figures.merge(OTHER, removed, NamedQueues::sum);
    }
    return figures;
  }

  /** The depths by the names that metrics give them. */
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
    Listening a = one.listening();
    Listening b = two.listening();
    return new QueueFigures(
        new Listening(
            OTHER,
            a.receivers() + b.receivers(),
            a.received() + b.received(),
            a.completed() + b.completed(),
            a.failed() + b.failed(),
            a.dead() + b.dead(),
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
