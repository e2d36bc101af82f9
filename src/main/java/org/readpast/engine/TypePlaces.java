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
 * The places of one claim among those of limited job types: taken while it is planned, kept while
 * it holds jobs of these types.
 */
class TypePlaces {
  /** Of a claim where no type is limited. */
  static final TypePlaces NONE = new TypePlaces();

  private TypePlaces() {}

  /** Takes a place for a type, unless it has one; false if the claim has to pass the type by. */
  boolean admits(String type) {
    return true;
  }

  /**
   * The claim is back, with these jobs: gives up the places that it does not need.
   *
   * @param passedBy names of types that it was not allowed to claim jobs of after all
   */
  void claimed(Collection<ClaimedJob> jobs, Set<String> passedBy) {}

  /** Gives up the places of all types but these, of which jobs are left. */
  void keep(Supplier<Set<String>> types) {}

  /**
   * Gives up all places.
   *
   * @param looking its receiver looks for more by itself
   */
  void release(boolean looking) {}

  /** Those of a claim of a queue. */
  static TypePlaces of(TypeLimits limits, String queue) {
    return new Limited(limits, queue);
  }

  private static final class Limited extends TypePlaces {
    private final TypeLimits limits;
    private final String queue;
    private final Map<LimitedType, Boolean> asked = new HashMap<>();
    private final List<LimitedType> turns;
    // The watch gives up places, too.
    private final Set<LimitedType> held = ConcurrentHashMap.newKeySet();

    Limited(TypeLimits limits, String queue) {
      this.limits = limits;
      this.queue = queue;
      this.turns = limits.turnsOf(queue);
    }

    @Override
    boolean admits(String type) {
      LimitedType limited = limits.of(type);
      return limited == null || asked.computeIfAbsent(limited, one -> one.enter(queue));
    }

    @Override
    void claimed(Collection<ClaimedJob> jobs, Set<String> passedBy) {
      // A claim that did not look for the type, although it was to, would keep the others from it.
      for (LimitedType limited : turns) {
        if (limited.endTurn(queue)) {
          limits.freed(limited, null);
        }
      }
      Set<LimitedType> found = limitedOf(jobs.stream().map(ClaimedJob::type).toList());
      asked.forEach(
          (limited, entered) -> {
            if (entered) {
              boolean some = found.contains(limited);
              if (some) {
                held.add(limited);
              } else if (jobs.isEmpty() && !passedBy.contains(limited.name())) {
                limited.foundNone(queue);
              }
              limited.claimed(some);
              limits.freed(limited, null);
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
    void keep(Supplier<Set<String>> types) {
      if (!held.isEmpty()) {
        giveUp(limitedOf(types.get()), null);
      }
    }

    @Override
    void release(boolean looking) {
      giveUp(Set.of(), looking ? queue : null);
    }

    private void giveUp(Set<LimitedType> but, @Nullable String looking) {
      for (LimitedType limited : held) {
        if (!but.contains(limited) && held.remove(limited)) {
          limited.leave();
          limits.freed(limited, looking);
        }
      }
    }
  }
}
