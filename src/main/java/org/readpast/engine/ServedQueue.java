package org.readpast.engine;

import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;

/** One queue as this node serves it: how many may work it, who does, and where they look. */
final class ServedQueue {
  private static final int WORTH_A_WAVE = 50;

  private final String queue;
  private final Set<String> types;
  private final ClaimCursors lanes;
  private final Map<List<String>, ClaimCursors> pulledLanes = new ConcurrentHashMap<>();
  private final Deque<OpenWave> waves = new ConcurrentLinkedDeque<>();
  private final Watermark watermark;
  private final TypeSpeeds speeds;
  private final TypeLimits typeLimits;
  private final Outage outage;
  private final WorkerSlots slots = new WorkerSlots(this);
  private final ErrorBackoff backoff = new ErrorBackoff();
  private final UnreadableLanes unreadable = new UnreadableLanes();
  private final JobsPerTransaction jobsPerTransaction = new JobsPerTransaction();
  private volatile Limits limits = new Limits(false, 0, 0, null);
  private volatile boolean usedAnywhere;
  private volatile boolean holdsOthers;
  private volatile boolean refused;

  /**
   * @param types none: this node does not work it
   */
  ServedQueue(
      String queue,
      Set<String> types,
      Watermark watermark,
      TypeSpeeds speeds,
      TypeLimits typeLimits,
      Outage outage) {
    this.queue = queue;
    this.types = types;
    this.watermark = watermark;
    this.speeds = speeds;
    this.typeLimits = typeLimits;
    this.lanes = new ClaimCursors(types, watermark, speeds, typeLimits);
    this.outage = outage;
  }

  String queue() {
    return queue;
  }

  /** Where applications look that receive jobs of these types by themselves. */
  ClaimCursors lanes(List<String> some) {
    return pulledLanes.computeIfAbsent(
        some, all -> new ClaimCursors(all, watermark, speeds, typeLimits));
  }

  /** Where this node's receivers look. */
  ClaimCursors lanes() {
    return lanes;
  }

  /** Whether this node handles none of the types. */
  boolean idle() {
    return types.isEmpty();
  }

  /** Whether some node has had jobs there lately, so that dead entries may be in the way. */
  boolean usedLately(long now) {
    return usedAnywhere || lanes.usedLately(now);
  }

  /** Whether some node has, as the database says. */
  void usedAnywhere(boolean lately) {
    usedAnywhere = lately;
  }

  /** There are jobs that this node does not work. */
  void holdsOthers(boolean some) {
    holdsOthers = some;
  }

  /**
   * From where something may be to claim that nobody has told of; null: nowhere, as it is known
   * already, or nobody could claim it.
   */
  Claims.Range range(long now) {
    Long mark = mayStart(now) && lanes.quiet() ? Long.valueOf(lanes.floor(now) + 1) : null;
    boolean shared = holdsOthers || (usedAnywhere && !lanes.usedLately(now));
    return new Claims.Range(queue, mark, shared);
  }

  /**
   * Whether one more receiver could start, or may be needed beside one that is at work for long.
   */
  boolean mayStart(long now) {
    return !paused() && !idle() && (slots.receivers() == 0 || slots.hasRoom(1, now));
  }

  /** Whether a job is known of in some lane, or a look is due that nobody has made. */
  boolean knowsOfJobs() {
    return !lanes.quiet() || !lanes.fullyLooked();
  }

  /** Takes note of its settings; true when more may be done than before. */
  boolean set(Limits now) {
    Limits before = limits;
    limits = now;
    return raised(before.overAllNodes(), now.overAllNodes())
        || (before.paused() && !now.paused())
        || now.concurrency() > before.concurrency();
  }

  private static boolean raised(@Nullable Integer before, @Nullable Integer now) {
    return before != null && (now == null || now > before);
  }

  /**
   * How many receivers may work a queue.
   *
   * @param concurrency on this node
   * @param reserved workers of this node that no other queue may take
   * @param overAllNodes null: no limit
   */
  record Limits(boolean paused, int concurrency, int reserved, @Nullable Integer overAllNodes) {}

  Limits limits() {
    return limits;
  }

  /** Who works it. */
  WorkerSlots slots() {
    return slots;
  }

  /** How many of its jobs share a transaction. */
  JobsPerTransaction jobsPerTransaction() {
    return jobsPerTransaction;
  }

  /** Takes note of whether a payload of this type could be read here. */
  void attempted(ClaimedJob job, Outcome outcome) {
    String type = job.type();
    if (outcome instanceof Outcome.Unreadable) {
      // Other jobs of the type may be encrypted with keys that are here.
      if (job.encrypted() != null) {
        return;
      }
      long rest = unreadable.unreadable(type);
      if (rest > 0) {
        lanes.rest(type, System.nanoTime() + rest);
      }
    } else {
      unreadable.readable(type);
    }
  }

  /** Something may have come, anywhere. */
  void signal() {
    lanes.lookEverywhere();
    slots.came(true);
  }

  /** Jobs have come to this lane; where it is served, a receiver is woken next. */
  void signal(String type, int priority, int jobs) {
    lanes.expect(type, priority);
    slots.came(jobs > 1);
  }

  /** Jobs are available again at positions that they had before. */
  void released(Claims.Released at) {
    lanes.release(at);
    pulledLanes.values().forEach(pulledFrom -> pulledFrom.release(at));
  }

  /** Whether jobs of this type are claimed straight from their waves: if nothing goes first. */
  boolean takesFromWaves(String type) {
    return takesFromWaves()
        && lanes.goThrough(type)
        && !lanes.rests(type)
        && !typeLimits.limits(type)
        && lanes.quiet();
  }

  /** Whether some are: where many are begun at once, so that several are worth waking. */
  boolean takesFromWaves() {
    return !paused() && !limited() && prefetch(types) >= WORTH_A_WAVE;
  }

  /** A wave is open; whether jobs of it may be claimed here. */
  synchronized boolean opened(OpenWave wave) {
    String type = wave.lane().type();
    if (limited() || typeLimits.limits(type) || !lanes.goThrough(type) || lanes.rests(type)) {
      return false;
    }
    long now = System.nanoTime();
    waves.removeIf(other -> other.forgotten(now) || wave.replaces(other));
    if (openWaves().stream().noneMatch(wave::isLike)) {
      waves.add(wave);
    }
    slots.came(true);
    return true;
  }

  /** Waves of its lanes that may be open. */
  Collection<OpenWave> openWaves() {
    if (!waves.isEmpty()) {
      waves.removeIf(OpenWave::over);
    }
    return waves;
  }

  /** Looks everywhere from the start again. */
  void startOver() {
    lanes.startOver();
    pulledLanes.values().forEach(ClaimCursors::startOver);
    signal();
  }

  /** Starts over in a database that has drawn no position after this one. */
  void startOver(long lastDrawn) {
    lanes.startOver(lastDrawn);
    pulledLanes.values().forEach(lanes -> lanes.startOver(lastDrawn));
    signal();
  }

  /**
   * Whether the last look went everywhere, or somebody is at one; else one that found nothing
   * proves nothing.
   */
  boolean fullyLooked() {
    return lanes.fullyLooked() || lanes.longLook(System.nanoTime());
  }

  /** Whether no job is known of that could be claimed. */
  boolean quiet() {
    return lanes.quiet() && lanes.fullyLooked() && !mayHaveMore();
  }

  /** Whether somebody has yet to learn what is to be claimed, or a wave is open. */
  boolean mayHaveMore() {
    return lanes.looking() || !openWaves().isEmpty();
  }

  int mostReceivers() {
    Limits now = limits;
    Integer most = now.overAllNodes();
    return most == null ? now.concurrency() : Math.min(most, now.concurrency());
  }

  boolean resting(long now) {
    return paused() || backoff.pauses(now) || outage.active(now);
  }

  boolean paused() {
    return limits.paused();
  }

  /** An error: nobody looks here for a while. */
  void failed(long now) {
    // What was leased at a time may have been too much.
    speeds.forget();
    backoff.failed(now);
  }

  /** It works again. */
  void succeeded() {
    backoff.succeeded();
  }

  /** Whether there was an error, nobody is at work, and the pause after it is over. */
  boolean errorPauseOver(long now) {
    return slots.receivers() == 0 && backoff.over(now);
  }

  /** How many jobs may be leased over all nodes; null: no limit. */
  @Nullable Integer limit() {
    return limits.overAllNodes();
  }

  /** Whether the queue has a limit over all nodes. */
  boolean limited() {
    return limit() != null;
  }

  /** The limit over all nodes was reached, though there may be jobs. */
  void refused() {
    refused = true;
  }

  /** Returns true if it was, a moment ago: to look again at once would find the same. */
  boolean atLimit() {
    return refused;
  }

  /** True once after a refusal: no node tells when a job of another has ended. */
  boolean takeRefused() {
    boolean was = refused;
    refused = false;
    return was;
  }

  /** How many jobs of these types are leased at a time. */
  int prefetch(Collection<String> of) {
    // One that waits for its turn would take up the limit of the other nodes.
    return limited() ? 1 : speeds.prefetch(of);
  }
}
