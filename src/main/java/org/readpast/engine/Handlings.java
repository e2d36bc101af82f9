package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.readpast.api.ReceiveMode;

/** What this engine can do, by job type. */
public final class Handlings {
  private final Map<String, Handling> byType = new TreeMap<>();
  private final Settings settings;

  public Handlings(Collection<Handling> all, Settings settings) {
    all.forEach(handling -> byType.put(handling.type(), handling));
    this.settings = settings;
  }

  Handling get(String type) {
    Handling handling = byType.get(type);
    if (handling == null) {
      throw new IllegalStateException(
          "claimed a job of type '" + type + "', which this engine does not handle");
    }
    return handling;
  }

  /** Whether jobs of this type are worked here. */
  public boolean knows(String type) {
    return byType.containsKey(type);
  }

  Collection<Handling> all() {
    return byType.values();
  }

  List<String> types() {
    return List.copyOf(byType.keySet());
  }

  /** The types that a queue receives in this mode. */
  List<String> types(String queue, ReceiveMode mode) {
    return byType.values().stream()
        .filter(h -> modeOf(queue, h) == mode)
        .map(Handling::type)
        .toList();
  }

  /** The longest that one attempt of any of these types may take. */
  Duration longestTimeout() {
    return byType.values().stream()
        .map(Handling::timeout)
        .max(Duration::compareTo)
        .orElse(Duration.ofMinutes(1));
  }

  private ReceiveMode modeOf(String queue, Handling handling) {
    ReceiveMode ofQueue = settings.queue(queue).mode();
    return ofQueue == null ? handling.mode() : ofQueue;
  }
}
