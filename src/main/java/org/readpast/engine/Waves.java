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

/** What one round of the settlement counts of waves, and lets go of them. */
final class Waves {
  // Fewer are let go in less time than it takes to wake receivers for them.
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
   * Of a round.
   *
   * @param passed takes the jobs that are let go
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

  /** Of each batch the wave that receivers were last to claim from. */
  static final class Open {
    private final Map<Long, OpenWave> waves = new ConcurrentHashMap<>();
    private final NodeState node;
    private final Runnable settle;

    /**
     * None yet.
     *
     * @param settle has the settlement look again
     */
    Open(NodeState node, Runnable settle) {
      this.node = node;
      this.settle = settle;
    }

    /** Forgets them all. */
    void forget() {
      waves.clear();
    }
  }

  /** Before another try. */
  void clear() {
    counts.clear();
    through.clear();
    opened.clear();
    again.clear();
    alive.clear();
    looked.clear();
  }

  /** What is to change of a wave. */
  WaveChange change(long batch, int wave) {
    return counts.computeIfAbsent(new Wave(batch, wave), w -> new WaveChange());
  }

  /** Counts it. */
  void count() {
    if (!counts.isEmpty()) {
      through.addAll(store.count(counts));
    }
  }

  /**
   * The batches that may have no live job any more: these, and those that had the last of a wave.
   */
  Set<Long> perhapsThrough(Set<Long> changed) {
    Set<Long> all = new TreeSet<>(changed);
    all.addAll(through);
    all.removeAll(alive);
    return all;
  }

  /** What receivers have left of a wave of these is to be let go. */
  void lookAt(Set<Long> batches) {
    looked.addAll(batches);
  }

  /**
   * Whether receivers of this node go on with a wave of the batch, and it is still the lowest. What
   * they leave is not forgotten.
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
   * Lets the jobs of the lowest waves go on, or has receivers claim them: of these batches, of
   * those in which a wave is through, and of those to be looked at.
   *
   * @return whether more are to be let go
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
    // Some of an open wave may have been claimed in place of others that were to go.
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
    // So many are looked at again also where none is opened: that saves a round trip for each wave.
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
            opened.add(new OpenWave(open.node.no(), lane, first.wave(), first.live(), open.settle));
            alive.add(batch);
            batches.remove(batch);
          }
        });
  }

  /** After the commit. */
  void tell() {
    long now = System.nanoTime();
    open.waves.values().removeIf(wave -> wave.forgotten(now));
    for (OpenWave wave : opened) {
      open.waves.put(wave.wave().batch(), wave);
      wakeUps.opened(wave);
    }
  }
}
