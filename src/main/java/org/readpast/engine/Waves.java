package org.readpast.engine;

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
import org.readpast.store.ReleasedJobs;
import org.readpast.store.WaveChange;
import org.readpast.store.WaveStore;
import org.readpast.store.WaveStore.Waiting;
import org.readpast.store.WaveStore.Wave;

/** Counts and releases the jobs of waves, within one round of the resolver. */
final class Waves {
  // Releasing no more jobs than this takes less time than waking receivers for them.
  private static final int FEW = 50;

  private final WaveStore store;
  private final WakeUps wakeUps;
  private final Open open;
  private final int atOnce;
  private final Consumer<Collection<ReleasedJobs>> passed;
  private final Map<Wave, WaveChange> counts = new HashMap<>();
  private final Set<Long> through = new HashSet<>();
  private final List<OpenWave> opened = new ArrayList<>();
  private final Set<Wave> again = new HashSet<>();
  private final Set<Long> alive = new HashSet<>();
  private final Set<Long> looked = new HashSet<>();

  /**
   * @param passed receives the jobs that are released
   */
  Waves(
      WaveStore store,
      WakeUps wakeUps,
      Open open,
      int atOnce,
      Consumer<Collection<ReleasedJobs>> passed) {
    this.store = store;
    this.wakeUps = wakeUps;
    this.open = open;
    this.atOnce = atOnce;
    this.passed = passed;
  }

  /** The wave of each batch that this node has opened last. */
  static final class Open {
    private final Map<Long, OpenWave> waves = new ConcurrentHashMap<>();
    private final NodeState node;
    private final Runnable wakeResolver;

    /**
     * @param wakeResolver wakes the resolver
     */
    Open(NodeState node, Runnable wakeResolver) {
      this.node = node;
      this.wakeResolver = wakeResolver;
    }

    /** Forgets all open waves. */
    void forget() {
      waves.clear();
    }
  }

  /** Prepares for another try. */
  void clear() {
    counts.clear();
    through.clear();
    opened.clear();
    again.clear();
    alive.clear();
    looked.clear();
  }

  /** Returns the changes to the counts of a wave, to be added to. */
  WaveChange change(long batch, int wave) {
    return counts.computeIfAbsent(new Wave(batch, wave), w -> new WaveChange());
  }

  /** Stores the changes to the counts. */
  void count() {
    if (!counts.isEmpty()) {
      through.addAll(store.count(counts));
    }
  }

  /**
   * Returns the batches that may have no live jobs left: the given ones, and those of which a wave
   * has ended.
   */
  Set<Long> perhapsThrough(Set<Long> changed) {
    Set<Long> all = new TreeSet<>(changed);
    all.addAll(through);
    all.removeAll(alive);
    return all;
  }

  /** Adds batches with a wave whose jobs are to be released if receivers have not claimed them. */
  void lookAt(Set<Long> batches) {
    looked.addAll(batches);
  }

  /**
   * Returns true if receivers of this node are still claiming from a wave of the batch, and it is
   * still the lowest one. The wave is then checked again later, so that the jobs that they leave
   * are not forgotten.
   */
  private boolean leftToReceivers(long batch) {
    OpenWave wave = open.waves.get(batch);
    if (wave == null
        || !wave.goesOn(System.nanoTime())
        || through.contains(batch)
        || counts.keySet().stream()
            .anyMatch(other -> other.batch() == batch && other.no() < wave.wave().no())) {
      return false;
    }
    again.add(wave.wave());
    return true;
  }

  /**
   * Releases the jobs of the lowest waves, or opens these waves for receivers. This covers the
   * given batches, those in which a wave has ended, and those that are to be checked again.
   *
   * @return true if more jobs are to be released
   */
  boolean pass(Set<Long> batches) {
    Set<Long> left = new TreeSet<>(batches);
    left.addAll(through);
    left.addAll(looked);
    left.removeIf(this::leftToReceivers);
    if (!left.isEmpty() && wakeUps.claimAnyFromWaves()) {
      leaveToReceivers(left);
    }
    boolean more = !left.isEmpty() && passAll(left);
    store.lookAgainAt(again);
    return more;
  }

  private boolean passAll(Set<Long> batches) {
    List<ReleasedJobs> jobs = store.passWaves(batches, atOnce);
    passed.accept(jobs);
    jobs.forEach(job -> alive.add(Objects.requireNonNull(job.batch())));
    boolean more = ReleasedJobs.jobs(jobs) >= atOnce;
    if (more) {
      jobs.forEach(job -> again.add(Wave.of(job)));
    }
    // Receivers may have claimed some of the jobs of an open wave that were selected for release,
    // so that others of the wave are left.
    Set<Long> open = new TreeSet<>(batches);
    open.retainAll(looked);
    if (!open.isEmpty()) {
      var waiting = store.waiting(open, 1).values();
      waiting.forEach(rest -> again.add(rest.get(0).wave()));
      more |= !waiting.isEmpty() && !jobs.isEmpty();
    }
    return more;
  }

  private void leaveToReceivers(Set<Long> batches) {
    // Waves with this many jobs are marked for another check even if they are not opened, because
    // that saves a round trip for each wave.
    Map<Long, List<Waiting>> waiting = store.waitingAndLookAgain(batches, FEW + 1);
    batches.retainAll(waiting.keySet());
    waiting.forEach(
        (batch, jobs) -> {
          Waiting first = jobs.get(0);
          Arrival lane = new Arrival(first.queue(), first.type(), first.priority());
          OpenWave last = open.waves.get(batch);
          if (first.jobs() > FEW
              && first.ready()
              && (last == null || !last.wave().equals(first.wave()))
              && wakeUps.claimFromWaves(lane)) {
            opened.add(
                new OpenWave(open.node.no(), lane, first.wave(), first.live(), open.wakeResolver));
            alive.add(batch);
            batches.remove(batch);
          }
        });
  }

  /** Announces the waves that were opened; called after the commit. */
  void tell() {
    long now = System.nanoTime();
    open.waves.values().removeIf(wave -> wave.forgotten(now));
    for (OpenWave wave : opened) {
      open.waves.put(wave.wave().batch(), wave);
      wakeUps.opened(wave);
    }
  }
}
