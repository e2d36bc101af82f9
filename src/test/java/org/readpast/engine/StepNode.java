package org.readpast.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.readpast.admin.Reports;
import org.readpast.api.JobState;
import org.readpast.database.Outage;
import org.readpast.database.Transactions;
import org.readpast.dependency.DependencyResolver;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.model.Owner;
import org.readpast.model.RetentionRules;
import org.readpast.model.RetryPolicy;
import org.readpast.model.Verdict;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Claims.WaveRange;
import org.readpast.store.EndedJob;
import org.readpast.store.JobEndListener;
import org.readpast.store.JobEndStore;
import org.readpast.store.MaintenanceStore;
import org.readpast.store.Nodes;
import org.readpast.store.ReleaseStore;
import org.readpast.store.ReleaseStore.Release;
import org.readpast.store.TypeLimitStore;
import org.readpast.store.Wave;
import org.readpast.support.IgnoredSignals;

/**
 * Represents a node that has no threads. A step node consists of the parts of an engine, assembled
 * as in {@link Engine}. Tests run each step explicitly, on their own thread.
 */
public final class StepNode {
  private static final Outage OUTAGE = new Outage("model", "model");
  private static final Owner OWNER = new Owner("model", "model");

  /** Specifies the time for which the node counts as alive after a heartbeat. */
  public static final Duration LEASE = Duration.ofSeconds(30);

  /** Specifies the timeout of a job. */
  public static final Duration ALLOWED = Duration.ofSeconds(60);

  /** Limits the number of jobs of a group that the node leases together. */
  public static final int MAX_OF_GROUP = NextInGroup.MAX_OF_GROUP;

  /** Limits the number of jobs of a limited queue or type that all nodes together may lease. */
  public static final int LIMIT = 3;

  /** Specifies the delay of a job that the node cannot start yet. */
  public static final Duration POSTPONEMENT = Duration.ofSeconds(5);

  private static final long PREFETCH_BYTES = 64L << 20;
  private static final int ENOUGH_RUNS = 40;

  private final String name;
  private final Transactions transactions;
  private final RetryPolicy retries;
  private final List<String> types;
  private final Nodes nodes;
  private final Claims claims;
  private final JobEndStore jobEnds;
  private final ReleaseStore releases;
  private final Enqueues enqueues;
  private final OutcomeRecorder recorder;
  private final Acknowledgements acknowledgements;
  private final Maintenance maintenance;
  private final MaintenanceStore maintenanceStore;
  private final DependencyResolver resolver;
  private final EngineContext at;
  private final NodeState state = new NodeState(OUTAGE, Duration.ofDays(1));
  private final Watermark watermark = new Watermark();
  private final Map<String, ServedQueue> servedQueues = new HashMap<>();

  /** Holds for each lease the jobs that may still be recorded as leased by this node. */
  private final Map<Long, Set<Long>> open = new HashMap<>();

  private final Set<Nodes.StartedJob> begun = new HashSet<>();

  /**
   * Creates a node.
   *
   * @param types the first one is known to take no time; a job of any other type is expected to
   *     take the whole time span of a claim
   * @param unkept a queue whose completed jobs are not kept
   */
  public StepNode(
      String name,
      Transactions transactions,
      RetryPolicy retries,
      List<String> types,
      String unkept) {
    this.name = name;
    this.transactions = transactions;
    this.retries = retries;
    this.types = types;
    Settings settings = settings(name, unkept);
    Threads threads = Runnable::run;
    Counters counters = new Counters();
    nodes = new Nodes(transactions);
    claims = new Claims(transactions);
    releases = new ReleaseStore(transactions, () -> {}, this::released);
    jobEnds =
        new JobEndStore(
            transactions, () -> {}, releases, JobEndListener.keeping(settings.retention()));
    enqueues = new Enqueues(transactions);
    Reports reports = new Reports(transactions, this::enqueue, false);
    PayloadBudget budget = new PayloadBudget(PREFETCH_BYTES);
    var surroundings =
        new EnginePorts(
            transactions,
            threads,
            () -> null,
            request -> null,
            json -> Map.of(),
            Object::toString,
            Instrumentation.NONE,
            JobEndListener.NONE,
            enqueuer -> reports,
            enqueuer -> null,
            no -> {},
            OUTAGE);
    AttemptFactory attempts = new AttemptFactory(claims, nodes, surroundings);
    recorder =
        new OutcomeRecorder(
            transactions,
            jobEnds,
            releases,
            this::enqueue,
            state,
            attempts,
            counters,
            new Unnotified(),
            reports);
    acknowledgements = new Acknowledgements(transactions, jobEnds, state, attempts, jobs -> {});
    at =
        new EngineContext(
            settings,
            transactions,
            claims,
            jobEnds,
            releases,
            this::enqueue,
            new HandlerRegistry(List.of(), settings),
            state,
            new ActiveJobs(budget),
            budget,
            speeds(types.get(0)),
            new TypeLimits(settings.typeLimits()),
            new CrashIsolation(),
            new BackendSessions(transactions, claims, nodes, state),
            recorder,
            counters,
            attempts,
            acknowledgements,
            jobs -> {});
    Dispatcher dispatcher = new Dispatcher(at, threads, watermark);
    WakeUps wakeUps = new WakeUps(new Silence(), dispatcher, threads, JobEndListener.NONE, false);
    resolver =
        new DependencyResolver(
            transactions, state.outage(), state::no, jobEnds, enqueues, threads::tryStart, wakeUps);
    maintenanceStore = new MaintenanceStore(transactions);
    maintenance = new Maintenance(at, maintenanceStore, new IgnoredSignals(), reports);
  }

  private static Settings settings(String name, String unkept) {
    return new Settings(
        OWNER,
        name,
        "test",
        true,
        List.of(),
        16,
        4,
        PREFETCH_BYTES,
        Duration.ofSeconds(5),
        LEASE,
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        false,
        new RetentionRules(
            Map.of(),
            Map.of(unkept, Map.of(JobState.COMPLETED, Duration.ZERO)),
            Map.of(),
            Set.of()),
        Duration.ofDays(90),
        Duration.ofDays(7),
        Map.of(),
        Settings.ConfiguredTypeLimits.NONE);
  }

  private static TypeSpeeds speeds(String fast) {
    TypeSpeeds speeds = new TypeSpeeds(type -> 1);
    for (int i = 0; i < ENOUGH_RUNS; i++) {
      speeds.ran(fast, 1, 1);
    }
    return speeds;
  }

  /** Clears the state of the node, after all jobs were deleted from the database. */
  public void forget() {
    servedQueues.clear();
    open.clear();
    begun.clear();
  }

  /** Registers the node, and returns the number by which it owns jobs. */
  public int register() {
    UUID id = UUID.randomUUID();
    int no =
        transactions.requiresNewUnbounded(
            () ->
                nodes.register(
                    id, OWNER, name, "test", LEASE, Duration.ofDays(90), List.of(), types));
    state.become(new Node(id, no));
    open.clear();
    return no;
  }

  /** Returns the number of the node. */
  public int no() {
    return state.no();
  }

  /** Registers the job types of the node, with their maximum numbers of attempts. */
  public void registerTypes() {
    transactions.requiresNew(
        () -> {
          types.forEach(type -> nodes.registerType(type, retries.maxAttempts(), null));
          return true;
        });
  }

  /** Sends a heartbeat; returns null if the node was declared dead. */
  public Nodes.Beat beat() {
    List<Long> emptyLeases =
        open.entrySet().stream()
            .filter(lease -> lease.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .toList();
    Nodes.Beat beat =
        transactions.requiresNew(
            () -> nodes.beat(state.node().id(), no(), List.of(), 0, emptyLeases, begun));
    emptyLeases.forEach(open::remove);
    return beat;
  }

  /** Stops the node although handlers are still running. */
  public void stop() {
    transactions.requiresNew(
        () -> {
          nodes.changeState(state.node().id(), no(), "STOPPING");
          return true;
        });
    transactions.requiresNew(
        () -> {
          nodes.changeState(state.node().id(), no(), "STOPPED");
          return true;
        });
  }

  /** Enqueues jobs in a separate transaction. */
  public List<org.readpast.api.Enqueued> enqueue(List<NewJob> jobs) {
    return transactions.required(
        () -> {
          jobs.stream().map(NewJob::queue).distinct().sorted().forEach(enqueues::createQueue);
          return enqueues.insert(jobs);
        });
  }

  /** Limits a type to {@link #LIMIT} jobs across all nodes. */
  public void limitType(String type) {
    TypeLimitStore limits = new TypeLimitStore(transactions);
    at.typeLimits()
        .set(
            transactions.requiresNewUnbounded(
                () -> {
                  limits.configure(Map.of(type, LIMIT));
                  return limits.all();
                }));
  }

  private ServedQueue served(String queue, boolean limited) {
    ServedQueue served =
        servedQueues.computeIfAbsent(
            queue,
            q ->
                new ServedQueue(
                    q, Set.copyOf(types), watermark, at.speeds(), at.typeLimits(), state));
    served.set(new ServedQueue.QueueLimits(false, 1, 0, limited ? LIMIT : null));
    return served;
  }

  private void released(List<Claims.ReopenedLane> lanes) {
    for (Claims.ReopenedLane lane : lanes) {
      ServedQueue served = servedQueues.get(lane.queue());
      if (served != null) {
        served.released(lane);
      }
    }
  }

  /** Reads the releases, as a connected node does within seconds. */
  public void readReleases() {
    released(transactions.autoCommit(claims::releases));
  }

  private ClaimPlan plan(ServedQueue served) {
    readReleases();
    transactions.requiresNewUnbounded(
        () -> {
          watermark.observe(claims.lastPosition().position(), claims.openWriters());
          return true;
        });
    served.cursors().requestFullScan();
    return served.cursors().next(System.nanoTime());
  }

  /**
   * Leases jobs of a queue. If the queue is limited, all nodes together may lease {@link #LIMIT}
   * jobs.
   */
  public List<ClaimedJob> lease(String queue, int most, boolean limited) {
    ServedQueue served = served(queue, limited);
    ClaimPlan look = plan(served);
    return leased(
        new LaneClaims(at, served).lease(served.cursors(), look, most, ALLOWED, List.of()));
  }

  /** Leases as many jobs of a queue as a receiver would, and returns their number. */
  public int lease(String queue) throws InterruptedException {
    ServedQueue served = served(queue, false);
    served.cursors().requestFullScan();
    ClaimedJobs jobs = new LaneClaims(at, served).claim(() -> {});
    return jobs == null ? 0 : jobs.size();
  }

  /** Leases jobs with a statement whose response the node does not receive. */
  public List<ClaimedJob> leaseUnanswered(String queue, int most) {
    ServedQueue served = served(queue, false);
    ClaimPlan look = plan(served);
    var all = new Claims.ClaimBounds(most, PREFETCH_BYTES, TypeSpeeds.SPAN, ALLOWED, List.of());
    List<ClaimedJob> jobs = claims.lease(queue, look.lanes(), all, no()).jobs();
    served.cursors().failed(look);
    return jobs;
  }

  private List<ClaimedJob> leased(List<ClaimedJob> jobs) {
    jobs.stream()
        .flatMap(ClaimedJob::all)
        .forEach(job -> open.computeIfAbsent(job.lease(), one -> new HashSet<>()).add(job.id()));
    return jobs;
  }

  /** Records that the node no longer holds the given jobs, in agreement with the database. */
  private void closed(ClaimedJob job) {
    job.all()
        .forEach(
            one -> {
              begun.remove(new Nodes.StartedJob(one.lease(), one.id()));
              open.getOrDefault(one.lease(), new HashSet<>()).remove(one.id());
            });
  }

  /** If the wave of a job is open, leases jobs of that wave and lane. */
  public List<ClaimedJob> leaseFromWave(long job, boolean fromTheEnd) {
    Object[] of =
        transactions.requiresNewUnbounded(
            () ->
                (Object[])
                    transactions
                        .entityManager()
                        .createNativeQuery(
                            "select batch, wave, queue, type, priority from readpast_job where id = ?1")
                        .setParameter(1, job)
                        .getSingleResult());
    WaveRange range =
        new WaveRange(
            new Wave(((Number) of[0]).longValue(), ((Number) of[1]).intValue()),
            of[2].toString(),
            of[3].toString(),
            ((Number) of[4]).intValue(),
            0,
            Long.MAX_VALUE,
            fromTheEnd,
            100);
    return leased(claims.leaseFromWave(range, no(), PREFETCH_BYTES, ALLOWED));
  }

  /** Starts a handler; the next heartbeat reports the start. */
  public void start(ClaimedJob job) {
    begun.add(new Nodes.StartedJob(job.lease(), job.id()));
  }

  /** Records the start of a handler immediately; returns true if the node still owns the job. */
  public boolean recordStart(ClaimedJob job) {
    return claims.recordStart(job);
  }

  /** Runs jobs in one transaction; returns true if it was committed. */
  public boolean inTransaction(Callable<Boolean> work) {
    try {
      return transactions.inHandlerTransaction(ALLOWED, work);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends jobs in the current transaction; returns the ids of those that the node does not own. */
  public List<Long> endInTransaction(List<ClaimedJob> jobs) {
    List<EndedJob> ended = jobs.stream().map(job -> EndedJob.of(job, endOf(job))).toList();
    return jobEnds.endInTransaction(ended, no()).stream().map(end -> end.job().id()).toList();
  }

  /**
   * Releases the jobs behind the ended jobs, after the transaction in which they ended was
   * committed.
   */
  public void committed(List<ClaimedJob> jobs) {
    List<ClaimedJob> behind = jobs.stream().flatMap(job -> job.nextInGroup().stream()).toList();
    release(behind.stream().map(Release::unstarted).toList());
    jobs.forEach(this::closed);
  }

  private static JobState endOf(ClaimedJob job) {
    return job.expired() ? JobState.EXPIRED : JobState.COMPLETED;
  }

  private Set<Long> release(List<Release> jobs) {
    return transactions.requiresNew(() -> releases.release(jobs));
  }

  public boolean owns(ClaimedJob job) {
    return transactions.requiresNew(() -> claims.owns(job));
  }

  /** Returns the jobs whose cancellation was requested. */
  public Set<Long> cancellations(List<Long> jobs) {
    return transactions.requiresNew(() -> nodes.cancellationsAmong(jobs));
  }

  /** Acknowledges ended leased jobs together, and releases the jobs behind them. */
  public void acknowledge(List<ClaimedJob> jobs) {
    ClaimedJobs leased = ended(jobs, List.of());
    acknowledgements.flushNow(leased);
    giveBack(leased.takeWaiting());
    jobs.forEach(this::closed);
  }

  private static ClaimedJobs ended(List<ClaimedJob> jobs, List<ClaimedJob> unrecorded) {
    List<ClaimedJob> all = new ArrayList<>(jobs);
    unrecorded.stream().map(ClaimedJob::withoutNext).forEach(all::add);
    ClaimedJobs leased = new ClaimedJobs(all, null, TypeSlots.NONE);
    jobs.forEach(
        job -> leased.ended(EndedJob.of(Objects.requireNonNull(leased.next()), endOf(job))));
    unrecorded.forEach(job -> leased.leaveOpen(Objects.requireNonNull(leased.next())));
    return leased;
  }

  /**
   * Acknowledges ended jobs of one claim, and continues with the jobs behind them, or with the next
   * jobs of their groups.
   *
   * @param unrecorded jobs of the same claim that the node still holds
   */
  public List<ClaimedJob> continueAfter(List<ClaimedJob> jobs, List<ClaimedJob> unrecorded) {
    ClaimedJobs leased = ended(jobs, unrecorded);
    List<ClaimedJob> next = new ArrayList<>();
    if (leased.hasJobsAfterPendingEnds()) {
      acknowledgements.flushNow(leased);
      for (ClaimedJob job = leased.next(); job != null; job = leased.next()) {
        next.add(job);
      }
    } else {
      next.addAll(
          acknowledgements.flushAndLeaseNext(leased, ALLOWED, MAX_OF_GROUP, PREFETCH_BYTES));
    }
    Set<Long> kept = new HashSet<>();
    next.stream().flatMap(ClaimedJob::all).forEach(job -> kept.add(job.id()));
    giveBack(leased.takeWaiting().stream().filter(job -> !kept.contains(job.id())).toList());
    jobs.stream().map(ClaimedJob::withoutNext).forEach(this::closed);
    return leased(next);
  }

  /** Releases jobs that were not started; returns the ids of those that the node owned. */
  public Set<Long> giveBack(Collection<ClaimedJob> jobs) {
    Set<Long> owned =
        release(jobs.stream().flatMap(ClaimedJob::all).map(Release::unstarted).toList());
    jobs.forEach(this::closed);
    return owned;
  }

  /** Releases jobs that the node does not hold in memory. */
  public void releaseLost(List<Nodes.HeldJob> jobs) {
    transactions.requiresNew(
        () -> {
          releases.releaseLost(jobs);
          return true;
        });
  }

  /**
   * Releases a job that was rolled back because of another job; returns true if the node owned it.
   */
  public boolean undo(ClaimedJob job) {
    boolean owned = !release(List.of(Release.undone(job))).isEmpty();
    giveBack(job.nextInGroup());
    closed(job);
    return owned;
  }

  /** Postpones a job that cannot be started yet; returns true if the node owned it. */
  public boolean postpone(ClaimedJob job) {
    boolean owned = transactions.requiresNew(() -> releases.postpone(job, POSTPONEMENT));
    closed(job);
    return owned;
  }

  /** Determines the outcome of an attempt, with pauses according to the retry policy. */
  public Verdict verdict(ClaimedJob job) {
    return new Verdict(job.countedAttempts(), job.maxAttempts(), retries, 0.5);
  }

  /** Records the outcome of an attempt that failed. */
  public void record(ClaimedJob job, Outcome outcome) {
    recorder.record(job, outcome);
    closed(job);
  }

  /** Runs the maintenance that is due, and what it requires afterwards; promotes due jobs. */
  public void maintain() {
    maintenance.run();
    maintenance.run();
    transactions.autoCommit(() -> maintenanceStore.promote(1_000));
  }

  /** Resolves job dependencies. */
  public void resolve() {
    resolver.wake();
  }

  /**
   * Resolves job dependencies, including all ends without an event. The second run of the resolver
   * uses what the first run has found.
   */
  public void resolveAll() {
    resolver.resolveAll();
    resolver.resolveAll();
  }

  private static final class Unnotified implements OutcomeRecorder.Afterwards {
    @Override
    public void retried(ClaimedJob job, Duration pause) {}

    @Override
    public void jobsEnded(Collection<Long> jobs) {}

    @Override
    public void lost(ClaimedJob job) {}
  }

  /** Implements notifications that are neither received nor sent. */
  private static final class Silence implements Notices {
    @Override
    public List<String> await(Duration longest) {
      return List.of();
    }

    @Override
    public void send(String notice) {}

    @Override
    public void close() {}
  }
}
