package org.readpast.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.readpast.engine.Settings.ConfiguredTypeLimits;
import org.readpast.engine.Settings.TypeConcurrency;
import org.readpast.model.StoredType;
import org.readpast.store.Lane;
import org.readpast.store.TypeLimitStore.TypeLimit;

/** The job types that have limits, on this node or over all nodes. */
final class TypeLimits {
  private final Map<String, LimitedType> types = new ConcurrentHashMap<>();
  private final Map<String, String> aliases;
  // By each name that a limit holds for. Usually empty, so that claims ask for nothing more.
  private volatile Map<String, LimitedType> limited;
  private volatile Predicate<String> wakes = queue -> false;

  TypeLimits(ConfiguredTypeLimits configured) {
    this.aliases = configured.aliases();
    configured.onThisNode().forEach((type, most) -> types.put(type, new LimitedType(type, most)));
    this.limited = byName(List.of());
  }

  /** Sets what wakes a receiver of a queue, and returns whether it did. It needs this object. */
  void wakes(Predicate<String> wakeReceiver) {
    wakes = wakeReceiver;
  }

  /** Takes note of the limits over all nodes. */
  void set(Collection<TypeLimit> overAllNodes) {
    Map<String, Integer> limits = new HashMap<>();
    overAllNodes.forEach(limit -> limits.put(limit.type(), limit.most()));
    limits
        .keySet()
        .forEach(type -> types.computeIfAbsent(type, name -> new LimitedType(name, null)));
    List<LimitedType> raised = new ArrayList<>();
    for (LimitedType type : types.values()) {
      if (type.overAllNodes(limits.get(type.name()))) {
        raised.add(type);
      }
    }
    limited = byName(overAllNodes);
    for (LimitedType type : raised) {
      // Each queue wakes the next when its claim is over, unless claims do not count any more.
      for (boolean woken = true; woken; ) {
        woken = freed(type, null) && !type.limited();
      }
    }
  }

  private Map<String, LimitedType> byName(Collection<TypeLimit> overAllNodes) {
    Map<String, LimitedType> all = new HashMap<>();
    types.values().stream()
        .filter(LimitedType::limited)
        .forEach(type -> all.put(type.name(), type));
    Map<String, String> names = new HashMap<>(aliases);
    overAllNodes.forEach(limit -> names.putIfAbsent(limit.name(), limit.type()));
    names.forEach(
        (name, type) -> {
          LimitedType own = all.get(type);
          if (own != null) {
            all.put(name, own);
          }
        });
    return Map.copyOf(all);
  }

  /** What limits the jobs of a type; null: nothing. */
  @Nullable LimitedType of(String stored) {
    Map<String, LimitedType> all = limited;
    return all.isEmpty() ? null : all.get(StoredType.nameOf(stored));
  }

  /** Returns true if the jobs of a type have a limit. */
  boolean limits(String stored) {
    return of(stored) != null;
  }

  /** Returns true if no claim may look for jobs of a type now. */
  boolean full(String stored) {
    LimitedType type = of(stored);
    return type != null && type.full();
  }

  /** Returns true if a queue has to pass a type by; it is woken when it need not any more. */
  boolean passesBy(String stored, String queue) {
    LimitedType type = of(stored);
    return type != null && type.passesBy(queue);
  }

  /** The types of lanes that have a limit over all nodes, each with whose limit that is. */
  Map<String, String> overAllNodes(Collection<Lane> lanes) {
    if (limited.isEmpty()) {
      return Map.of();
    }
    Map<String, String> found = new HashMap<>();
    for (Lane lane : lanes) {
      LimitedType type = of(lane.type());
      if (type != null && type.overAllNodes() != null) {
        found.put(lane.type(), type.name());
      }
    }
    return found;
  }

  /** The places of a claim of a queue, which is about to be planned. */
  TypePlaces places(String queue) {
    return limited.isEmpty() ? TypePlaces.NONE : TypePlaces.of(this, queue);
  }

  /** The limits over all nodes of types are reached: a queue has passed them by. */
  void refused(Collection<String> names, String queue) {
    for (String name : names) {
      LimitedType type = types.get(name);
      if (type != null) {
        type.refused(queue);
      }
    }
  }

  /** Returns the types that are to be looked for next in a queue. */
  List<LimitedType> turnsOf(String queue) {
    return types.values().stream().filter(type -> type.isTurnOf(queue)).toList();
  }

  /** A type may be looked for again: wakes the queue whose turn that is; false: there is none. */
  boolean freed(LimitedType type, @Nullable String but) {
    for (String next = type.next(but); next != null; next = type.next(but)) {
      if (wakes.test(next)) {
        return true;
      }
      type.endTurn(next);
    }
    return false;
  }

  /** Has types looked for again whose limit over all nodes was reached; whether there are any. */
  boolean retryRefused() {
    boolean any = false;
    for (LimitedType type : types.values()) {
      if (type.takeRefused()) {
        any = true;
        freed(type, null);
      }
    }
    return any;
  }

  /** Returns the limits that are in force, by type. */
  Map<String, TypeConcurrency> inForce() {
    Map<String, TypeConcurrency> all = new TreeMap<>();
    types.values().stream()
        .filter(LimitedType::limited)
        .forEach(
            type -> all.put(type.name(), new TypeConcurrency(type.most(), type.overAllNodes())));
    return all;
  }
}
