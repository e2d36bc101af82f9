package org.readpast.engine;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;

/**
 * Tracks the slots that one claim has taken within the limits of job types. A claim takes slots
 * while it is planned, and keeps the slot of a type as long as it holds jobs of that type.
 */
class TypeSlots {
  /** Imposes no limits. */
  static final TypeSlots NONE = new TypeSlots();

  private TypeSlots() {}

  /**
   * Takes a slot for a type unless the claim has one already; returns false if the claim has to
   * skip the type.
   */
  boolean admits(String type) {
    return true;
  }

  /**
   * Releases the slots that the claim no longer needs, after it has returned.
   *
   * @param jobs the jobs that the claim has leased
   * @param skippedTypes the names of the types of which the claim was not allowed to lease jobs
   */
  void claimed(Collection<ClaimedJob> jobs, Set<String> skippedTypes) {}

  /** Releases the slots of all types except the given ones, of which jobs are left to run. */
  void retain(Supplier<Set<String>> types) {}

  /**
   * Releases all slots.
   *
   * @param scansAgain true if the receiver scans its queue again anyway
   */
  void release(boolean scansAgain) {}

  /** Returns the slots for a claim of a queue. */
  static TypeSlots of(TypeLimits limits, String queue) {
    return new Limited(limits, queue);
  }

  private static final class Limited extends TypeSlots {
    private final TypeLimits limits;
    private final String queue;
    private final Map<LimitedType, Boolean> asked = new HashMap<>();
    private final List<LimitedType> reserved;
    // The set is concurrent, because the watchdog also releases slots.
    private final Set<LimitedType> held = ConcurrentHashMap.newKeySet();

    Limited(TypeLimits limits, String queue) {
      this.limits = limits;
      this.queue = queue;
      this.reserved = limits.reservedFor(queue);
    }

    @Override
    boolean admits(String type) {
      LimitedType limited = limits.of(type);
      return limited == null || asked.computeIfAbsent(limited, one -> one.enter(queue));
    }

    @Override
    void claimed(Collection<ClaimedJob> jobs, Set<String> skippedTypes) {
      // If this claim was reserved for a limited type but did not search for its jobs, the next
      // queue is woken.
      for (LimitedType limited : reserved) {
        if (limited.endReservation(queue)) {
          limits.wakeNext(limited, null);
        }
      }
      Set<LimitedType> found = limitedOf(jobs.stream().map(ClaimedJob::type).toList());
      asked.forEach(
          (limited, entered) -> {
            if (entered) {
              boolean some = found.contains(limited);
              if (some) {
                held.add(limited);
              } else if (jobs.isEmpty() && !skippedTypes.contains(limited.name())) {
                limited.foundNone(queue);
              }
              limited.claimed(some);
              limits.wakeNext(limited, null);
            }
          });
    }

    private Set<LimitedType> limitedOf(Collection<String> types) {
      Set<LimitedType> all = new HashSet<>();
      for (String type : types) {
        LimitedType limited = limits.of(type);
        if (limited != null) {
          all.add(limited);
        }
      }
      return all;
    }

    @Override
    void retain(Supplier<Set<String>> types) {
      if (!held.isEmpty()) {
        giveUp(limitedOf(types.get()), null);
      }
    }

    @Override
    void release(boolean scansAgain) {
      giveUp(Set.of(), scansAgain ? queue : null);
    }

    private void giveUp(Set<LimitedType> except, @Nullable String scanningQueue) {
      for (LimitedType limited : held) {
        if (!except.contains(limited) && held.remove(limited)) {
          limited.leave();
          limits.wakeNext(limited, scanningQueue);
        }
      }
    }
  }
}
