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

/** Tracks the job types that have limits, on this node or across all nodes. */
final class TypeLimits {
  private final Map<String, LimitedType> types = new ConcurrentHashMap<>();
  private final Map<String, String> aliases;
  // The limited types by all names to which their limits apply, including aliases. This map is
  // usually empty, so most claims check no limit.
  private volatile Map<String, LimitedType> limited;
  private volatile Predicate<String> wakes = queue -> false;

  TypeLimits(ConfiguredTypeLimits configured) {
    this.aliases = configured.aliases();
    configured.onThisNode().forEach((type, most) -> types.put(type, new LimitedType(type, most)));
    this.limited = byName(List.of());
  }

  /**
   * Sets a predicate that wakes a receiver of a queue, and returns true if one was woken. The
   * predicate is set later, because it needs this object.
   */
  void wakes(Predicate<String> wakeReceiver) {
    wakes = wakeReceiver;
  }

  /** Sets the limits across all nodes. */
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
      // Each woken queue wakes the next queue when its claim has finished. If the type is no longer
      // limited, claims are not counted, so this loop wakes all queues.
      for (boolean woken = true; woken; ) {
        woken = wakeNext(type, null) && !type.limited();
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

  /** Returns the limit of the jobs of a type, or null if there is none. */
  @Nullable LimitedType of(String stored) {
    Map<String, LimitedType> all = limited;
    return all.isEmpty() ? null : all.get(StoredType.nameOf(stored));
  }

  /** Returns true if the jobs of a type have a limit. */
  boolean limits(String stored) {
    return of(stored) != null;
  }

  /** Returns true if no claim may take jobs of a type now. */
  boolean noSlotFree(String stored) {
    LimitedType type = of(stored);
    return type != null && type.noSlotFree();
  }

  /** Returns true if a queue has to skip a type; the queue is woken when that has changed. */
  boolean mustSkip(String stored, String queue) {
    LimitedType type = of(stored);
    return type != null && type.mustSkip(queue);
  }

  /**
   * Returns the types of the given lanes that have a limit across all nodes, each with the name of
   * the type whose limit applies.
   */
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

  /** Returns an empty set of slots for a claim that is about to be planned. */
  TypeSlots slots(String queue) {
    return limited.isEmpty() ? TypeSlots.NONE : TypeSlots.of(this, queue);
  }

  /** Records that a queue has skipped types because their limits across all nodes are reached. */
  void setLimitReached(Collection<String> names, String queue) {
    for (String name : names) {
      LimitedType type = types.get(name);
      if (type != null) {
        type.setLimitReached(queue);
      }
    }
  }

  /** Returns the types of which the next claim is reserved for a queue. */
  List<LimitedType> reservedFor(String queue) {
    return types.values().stream().filter(type -> type.isReservedFor(queue)).toList();
  }

  /**
   * Wakes the queue for which the next claim is reserved, because claims may take jobs of the type
   * again. Returns false if no queue was woken.
   *
   * @param except a queue to leave out, because its receiver scans it anyway, or null
   */
  boolean wakeNext(LimitedType type, @Nullable String except) {
    for (String next = type.next(except); next != null; next = type.next(except)) {
      if (wakes.test(next)) {
        return true;
      }
      type.endReservation(next);
    }
    return false;
  }

  /**
   * Makes queues scan again for types whose limit across all nodes was reached; returns true if
   * there are any.
   */
  boolean retryReachedLimits() {
    boolean any = false;
    for (LimitedType type : types.values()) {
      if (type.takeLimitReached()) {
        any = true;
        wakeNext(type, null);
      }
    }
    return any;
  }

  /** Returns the limits that apply, by type. */
  Map<String, TypeConcurrency> inForce() {
    Map<String, TypeConcurrency> all = new TreeMap<>();
    types.values().stream()
        .filter(LimitedType::limited)
        .forEach(
            type -> all.put(type.name(), new TypeConcurrency(type.most(), type.overAllNodes())));
    return all;
  }
}
