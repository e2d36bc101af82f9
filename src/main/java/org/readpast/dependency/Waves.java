package org.readpast.dependency;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.readpast.dependency.WaveStore.Waiting;
import org.readpast.store.Wave;

/** Counts and releases the jobs of waves, during one round of the resolver. */
final class Waves {
  // Releasing up to fifty jobs takes less time than waking receivers for them.
  private static final int FEW = 50;

  private final WaveStore store;
  private final ReceiverSignals signals;
  private final OpenedWaves openedWaves;
  private final int limit;
  private final Consumer<Collection<AlikeJobs>> released;
  private final Map<Wave, WaveChange> counts = new HashMap<>();
  private final Set<Long> withEndedWave = new HashSet<>();
  private final List<OpenWave> opened = new ArrayList<>();
  private final Set<Wave> toRecheck = new HashSet<>();
  private final Set<Long> stillLive = new HashSet<>();
  private final Set<Wave> rechecked = new HashSet<>();

  /**
   * @param released receives the jobs that are released
   */
  Waves(
      WaveStore store,
      ReceiverSignals signals,
      OpenedWaves openedWaves,
      int limit,
      Consumer<Collection<AlikeJobs>> released) {
    this.store = store;
    this.signals = signals;
    this.openedWaves = openedWaves;
    this.limit = limit;
    this.released = released;
  }

  /** Holds for each batch the wave that this node has opened last. */
  static final class OpenedWaves {
    private final Map<Long, OpenWave> waves = new ConcurrentHashMap<>();
    private final IntSupplier node;
    private final Runnable wakeResolver;

    /**
     * @param node returns the number of this node
     * @param wakeResolver wakes the resolver
     */
    OpenedWaves(IntSupplier node, Runnable wakeResolver) {
      this.node = node;
      this.wakeResolver = wakeResolver;
    }

    /** Forgets all open waves. */
    void forget() {
      waves.clear();
    }
  }

  /** Prepares for a repetition of the round. */
  void clear() {
    counts.clear();
    withEndedWave.clear();
    opened.clear();
    toRecheck.clear();
    stillLive.clear();
    rechecked.clear();
  }

  /** Returns the changes to the counts of a wave, so that the caller can add to them. */
  WaveChange change(long batch, int wave) {
    return counts.computeIfAbsent(new Wave(batch, wave), w -> new WaveChange());
  }

  /** Stores the changes to the counts. */
  void count() {
    if (!counts.isEmpty()) {
      withEndedWave.addAll(store.count(counts));
    }
  }

  /**
   * Returns the batches that may have no live jobs left: the given batches, and those in which a
   * wave has ended.
   */
  Set<Long> maybeFinished(Set<Long> changed) {
    Set<Long> all = new TreeSet<>(changed);
    all.addAll(withEndedWave);
    all.removeAll(stillLive);
    return all;
  }

  /** Adds open waves; jobs that receivers have not claimed from them are then released. */
  void recheck(Set<Wave> openWaves) {
    rechecked.addAll(openWaves);
  }

  private Set<Long> recheckedBatches() {
    return rechecked.stream().map(Wave::batch).collect(Collectors.toSet());
  }

  /**
   * Releases nothing in this round, and requests that open waves be checked again.
   *
   * @return the batches to check in a later round: the given batches, and those in which a wave has
   *     ended
   */
  Set<Long> leave(Set<Long> batches) {
    store.requestCheck(rechecked);
    Set<Long> left = new TreeSet<>(batches);
    left.addAll(withEndedWave);
    return left;
  }

  /**
   * Returns true if receivers of this node are still claiming from a wave of the batch, and the
   * wave is still the lowest one. The wave is then checked again later, because the receivers may
   * leave some of its jobs.
   */
  private boolean leftToReceivers(long batch) {
    OpenWave wave = openedWaves.waves.get(batch);
    if (wave == null
        || !wave.stillClaimed(System.nanoTime())
        || withEndedWave.contains(batch)
        || counts.keySet().stream()
            .anyMatch(other -> other.batch() == batch && other.no() < wave.wave().no())) {
      return false;
    }
    toRecheck.add(wave.wave());
    return true;
  }

  /**
   * Releases the jobs of the lowest waves, or opens the waves for receivers. The method checks the
   * given batches, batches in which a wave has ended, and batches that are to be checked again.
   *
   * @return true if more jobs are to be released
   */
  boolean releaseOrOpen(Set<Long> batches) {
    Set<Long> left = new TreeSet<>(batches);
    left.addAll(withEndedWave);
    left.addAll(recheckedBatches());
    left.removeIf(this::leftToReceivers);
    if (!left.isEmpty() && signals.claimsAnyFromWaves()) {
      openForReceivers(left);
    }
    boolean more = !left.isEmpty() && releaseAll(left);
    store.requestCheck(toRecheck);
    return more;
  }

  private boolean releaseAll(Set<Long> batches) {
    List<AlikeJobs> jobs = store.releaseWaves(batches, limit);
    released.accept(jobs);
    jobs.forEach(job -> stillLive.add(Objects.requireNonNull(job.batch())));
    boolean more = AlikeJobs.jobs(jobs) >= limit;
    if (more) {
      jobs.forEach(job -> toRecheck.add(job.ofWave()));
    }
    // Receivers of an open wave may have claimed some of the jobs that were selected for release,
    // so other jobs of the wave may still wait.
    Set<Long> openedWaves = new TreeSet<>(batches);
    openedWaves.retainAll(recheckedBatches());
    if (!openedWaves.isEmpty()) {
      var waiting = store.waiting(openedWaves, 1).values();
      waiting.forEach(remaining -> toRecheck.add(remaining.get(0).wave()));
      more |= !waiting.isEmpty() && !jobs.isEmpty();
    }
    return more;
  }

  private void openForReceivers(Set<Long> batches) {
    // A wave with more than a few jobs is marked for another check even if it is not opened, which
    // saves a round trip per wave.
    Map<Long, List<Waiting>> waiting = store.waitingRequestingCheck(batches, FEW + 1);
    batches.retainAll(waiting.keySet());
    waiting.forEach(
        (batch, jobs) -> {
          Waiting first = jobs.get(0);
          QueueLane lane = new QueueLane(first.queue(), first.type(), first.priority());
          OpenWave last = openedWaves.waves.get(batch);
          if (first.jobs() > FEW
              && first.ready()
              && (last == null || !last.wave().equals(first.wave()))
              && signals.claimsFromWaves(lane)) {
            opened.add(
                new OpenWave(
                    openedWaves.node.getAsInt(),
                    lane,
                    first.wave(),
                    first.live(),
                    openedWaves.wakeResolver));
            stillLive.add(batch);
            batches.remove(batch);
          }
        });
  }

  /** Announces the waves that were opened; called after the commit. */
  void announce() {
    long now = System.nanoTime();
    openedWaves.waves.values().removeIf(wave -> wave.unused(now));
    for (OpenWave wave : opened) {
      openedWaves.waves.put(wave.wave().batch(), wave);
      signals.opened(wave);
    }
  }
}
