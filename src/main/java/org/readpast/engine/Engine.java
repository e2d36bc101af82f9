package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Enqueued;
import org.readpast.database.Transactions;
import org.readpast.dependency.DependencyResolver;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.NewJob;
import org.readpast.model.ScheduleDefinition;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.JobEndStore;
import org.readpast.store.MaintenanceStore;
import org.readpast.store.Nodes;
import org.readpast.store.ReleaseStore;

/** Runs a node: creates its parts, and starts and stops them in the right order. */
public final class Engine implements EngineStatus {
  private static final Logger LOG = System.getLogger(Engine.class.getName());
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(3);
  private static final Duration STORE_AGAIN = Duration.ofMillis(500);
  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private final Settings settings;
  private final Transactions transactions;
  private final Nodes nodes;
  private final Threads threads;
  private final HandlerRegistry handlers;
  private final NodeState state;
  private final TypeRegistry registry;
  private final EngineContext context;
  private final Dispatcher dispatcher;
  private final WakeUps wakeUps;
  private final Enqueuing enqueuing;
  private final SkippedJobs skippedJobs;
  private final Heartbeat heartbeat;
  private final SynchronousReceive synchronousReceive;
  private final Watchdog watchdog;
  private final Maintenance maintenance;
  private final IntConsumer registered;
  private final Supplier<Listener> newListener;
  private volatile Listener listener;

  /** Creates an engine. Other nodes do not know the engine before {@link #start()}. */
  public Engine(Settings settings, HandlerRegistry handlers, EnginePorts from) {
    this.settings = settings;
    this.handlers = handlers;
    this.transactions = from.transactions();
    this.threads = from.threads();
    this.nodes = new Nodes(transactions);
    this.registered = from.registered();
    this.state = new NodeState(from.outage(), settings.lease());
    this.registry = new TypeRegistry(settings, handlers, transactions, from.outage());
    Claims claims = new Claims(transactions);
    transactions.beginNewWith(claims::limitIdleTime);
    LateBinding late = new LateBinding();
    ReleaseStore releases = new ReleaseStore(transactions, late::orderChanged, late);
    JobEndStore jobEnds =
        new JobEndStore(transactions, late::orderChanged, releases, from.endListener());
    MaintenanceStore store = new MaintenanceStore(transactions);
    Watermark watermark = new Watermark();
    LossReports reports = from.reports().apply(late);
    Counters counters = new Counters();
    AttemptFactory attempts = new AttemptFactory(claims, nodes, from);
    PayloadBudget budget = new PayloadBudget(settings.prefetchBytes());
    ActiveJobs activeJobs = new ActiveJobs(budget);
    this.context =
        new EngineContext(
            settings,
            transactions,
            claims,
            jobEnds,
            releases,
            late,
            handlers,
            state,
            activeJobs,
            budget,
            new TypeSpeeds(
                type -> handlers.knows(type) ? handlers.get(type).jobsPerTransaction() : 1),
            new TypeLimits(settings.typeLimits()),
            new CrashIsolation(),
            new BackendSessions(transactions, claims, nodes, state),
            new OutcomeRecorder(
                transactions, jobEnds, releases, late, state, attempts, counters, late, reports),
            counters,
            attempts,
            new Acknowledgements(transactions, jobEnds, state, attempts, late::jobsEnded),
            late::jobsEnded);
    this.dispatcher = new Dispatcher(context, threads, watermark);
    this.wakeUps =
        new WakeUps(
            from.notices().get(), dispatcher, threads, from.endListener(), settings.notices());
    Enqueues enqueues = new Enqueues(transactions, wakeUps);
    DependencyResolver resolver =
        new DependencyResolver(
            transactions, from.outage(), state::no, jobEnds, enqueues, threads::tryStart, wakeUps);
    wakeUps.resolver(resolver::wake);
    this.enqueuing = new Enqueuing(enqueues, wakeUps, counters, handlers::stored, from);
    this.skippedJobs = new SkippedJobs(threads, transactions, releases, wakeUps, from.outage());
    wakeUps.skippedJobsAnnouncer(skippedJobs::announce);
    late.target = enqueuing;
    late.wakeUps = wakeUps;
    late.endSignals = wakeUps.endSignals();
    this.synchronousReceive = new SynchronousReceive(context, dispatcher, threads, nodes);
    this.heartbeat =
        new Heartbeat(context, nodes, dispatcher, () -> state.become(register()), this::beginDrain);
    this.maintenance = new Maintenance(context, store, wakeUps, reports);
    this.watchdog = new Watchdog(context, nodes, dispatcher, maintenance);
    TimedWork timedWork = from.timedWork().apply(enqueuing);
    LostCommits lostCommits =
        new LostCommits(watermark, dispatcher, resolver, timedWork, enqueuing);
    this.newListener =
        () ->
            new Listener(
                context,
                dispatcher,
                wakeUps,
                resolver,
                from.notices().get(),
                store,
                nodes,
                lostCommits,
                watermark,
                timedWork);
    this.listener = newListener.get();
  }

  /**
   * Breaks the cycle between receivers, which enqueue and end jobs, and the components that wake
   * receivers.
   */
  private static final class LateBinding
      implements Enqueuer, OutcomeRecorder.Afterwards, ReleaseStore.LaneListener {
    private @Nullable Enqueuer target;
    private @Nullable WakeUps wakeUps;
    private @Nullable EndSignals endSignals;

    @Override
    public void jobsEnded(Collection<Long> jobs) {
      Objects.requireNonNull(endSignals).jobsEnded(jobs);
    }

    @Override
    public void released(List<Claims.ReopenedLane> lanes) {
      Objects.requireNonNull(wakeUps).released(lanes);
    }

    @Override
    public void restored(List<Claims.ReopenedLane> lanes) {
      Objects.requireNonNull(wakeUps).restored(lanes);
    }

    void orderChanged() {
      Objects.requireNonNull(wakeUps).orderChanged();
    }

    @Override
    public void retried(ClaimedJob job, Duration pause) {
      Objects.requireNonNull(wakeUps).retried(job, pause);
    }

    @Override
    public void lost(ClaimedJob job) {
      if (job.position() > 0) {
        restored(
            List.of(
                new Claims.ReopenedLane(job.queue(), job.type(), job.priority(), job.position())));
      }
    }

    @Override
    public List<Enqueued> enqueue(List<NewJob> jobs) {
      return Objects.requireNonNull(target).enqueue(jobs);
    }
  }

  private Node register() {
    UUID id = UUID.randomUUID();
    return transactions.requiresNew(
        () -> {
          registry.registerTypes(nodes, context.typeLimits());
          nodes.configureLimits(settings.limits());
          int no =
              nodes.register(
                  id,
                  settings.owner(),
                  settings.node(),
                  settings.version(),
                  settings.lease(),
                  settings.auditRetention(),
                  settings.workerEnabled() ? settings.queues() : List.of(),
                  settings.workerEnabled() ? handlers.types() : Set.of());
          registered.accept(no);
          registry.register(no);
          return new Node(id, no);
        });
  }

  /** Warns if a schedule leaves its jobs too little time to start. */
  public void checkLatestStart(ScheduleDefinition schedule) {
    handlers.checkLatestStart(schedule);
  }

  /** Registers the node, and begins to claim jobs. */
  public void start() {
    state.become(register());
    heartbeat.beat();
    wakeUps.start();
    threads.start(listener);
    LOG.log(
        Level.INFO,
        "READPAST-0001 node {0} has started and handles the job types {1}",
        state.node().id(),
        handlers.types());
    threads.tryStart(() -> registry.report(state.no()));
  }

  /** Sends a heartbeat. This method must be called at intervals of {@link Settings#heartbeat()}. */
  public void beat() {
    heartbeat.beat();
    skippedJobs.sendPending();
  }

  /**
   * Checks running handlers, and restarts the listener if it has ended. This method must be called
   * several times a second.
   */
  public void check() {
    watchdog.check();
    if (listener.ended() && !state.stopping()) {
      Listener next = newListener.get();
      listener = threads.tryStart(next) ? next : listener;
    }
  }

  /**
   * Records abandoned attempts, and releases and acknowledges jobs of receivers that are held up.
   * This method must be called as often as {@link #check}, on another thread, because it may have
   * to wait for the database.
   */
  public void relieveReceivers() {
    watchdog.relieveReceivers();
  }

  /** Returns true if this node runs no handler and holds no leased job. */
  public boolean holdsNoJobs() {
    ActiveJobs activeJobs = context.activeJobs();
    return activeJobs.attempts().isEmpty() && activeJobs.claims().isEmpty();
  }

  /** Returns the maintenance tasks, which must run every few seconds. */
  public Maintenance maintenance() {
    return maintenance;
  }

  @Override
  public Settings settings() {
    return settings;
  }

  public Enqueuer enqueuer() {
    return enqueuing;
  }

  public Signals signals() {
    return wakeUps;
  }

  /** Returns the component with which callers receive jobs in their own transactions. */
  public SynchronousReceive synchronousReceive() {
    return synchronousReceive;
  }

  /** Returns the component that tracks callers that wait for jobs to end. */
  public EndSignals endSignals() {
    return wakeUps.endSignals();
  }

  @Override
  public int receivers() {
    return dispatcher.receivers();
  }

  @Override
  public List<QueueFigures> figures() {
    return dispatcher.figures();
  }

  @Override
  public List<TypeFigures> typeFigures() {
    return context.counters().figures();
  }

  @Override
  public Map<String, Settings.TypeConcurrency> typeLimits() {
    return context.typeLimits().inForce();
  }

  @Override
  public String storedType(String stated) {
    return handlers.stored(stated);
  }

  @Override
  public @Nullable UUID node() {
    Node node = state.node();
    return node.equals(Node.NOBODY) ? null : node.id();
  }

  /**
   * Stops claiming, and stops the node when the running jobs have ended, regardless of how long
   * they take. The application continues to run, and can enqueue jobs.
   */
  private void beginDrain() {
    if (!threads.tryStart(this::drain)) {
      // The next heartbeat tries again, because this node still claims jobs.
      return;
    }
    LOG.log(
        Level.INFO,
        "READPAST-0062 node {0} is being drained on request: it claims no more jobs,"
            + " and stops when its running jobs have ended",
        state.node().id());
    state.drain();
  }

  private void drain() {
    // This task may begin before the method that started it has continued.
    state.drain();
    quietly("changing the state of the node to STOPPING", () -> changeState("STOPPING"));
    waitUntil(() -> state.shuttingDown() || hasDrained(), FOR_EVER);
    if (!state.shuttingDown()) {
      finish();
      state.retire();
    }
  }

  /**
   * Stops claiming, waits for running jobs, and releases the jobs that have not ended. Heartbeats
   * must continue until this method returns.
   */
  public void stop() {
    state.stop();
    if (!state.retired()) {
      finish();
    }
  }

  private boolean hasDrained() {
    return dispatcher.receivers() == 0
        && holdsNoResults()
        && context.activeJobs().received().isEmpty();
  }

  private boolean holdsNoResults() {
    return holdsNoJobs() && context.recorder().unrecorded().isEmpty();
  }

  private synchronized void finish() {
    long end = System.nanoTime() + settings.shutdownGrace().plus(AFTER_INTERRUPT).toNanos();
    quietly("waking the listener", wakeUps::endWait);
    quietly("changing the state of the node to STOPPING", () -> changeState("STOPPING"));
    waitUntil(() -> dispatcher.receivers() == 0, settings.shutdownGrace());
    context.activeJobs().attempts().forEach(one -> one.interrupt(Attempt.StopReason.SHUTDOWN));
    waitUntil(() -> dispatcher.receivers() == 0, AFTER_INTERRUPT);
    watchdog.check();
    // Only this node knows its results, so it stores them even after a short outage.
    waitUntil(this::storesResults, Duration.ofNanos(end - System.nanoTime()));
    quietly("changing the state of the node to STOPPED", () -> changeState("STOPPED"));
    quietly("notifying the other nodes", wakeUps::nodeEnded);
    if (dispatcher.receivers() > 0 || !holdsNoResults()) {
      quietly("releasing the jobs that have not ended", maintenance::takeOver);
    }
    waitUntil(listener::ended, AFTER_INTERRUPT);
    LOG.log(Level.INFO, "READPAST-0002 node {0} has stopped", state.node().id());
  }

  private boolean storesResults() {
    watchdog.relieveReceivers();
    quietly("recording failed attempts", context.recorder()::catchUp);
    waitUntil(this::holdsNoResults, STORE_AGAIN);
    return holdsNoResults();
  }

  private void changeState(String newState) {
    Node node = state.node();
    transactions.requiresNew(() -> nodes.changeState(node.id(), node.no(), newState));
  }

  private static void waitUntil(BooleanSupplier condition, Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    while (!condition.getAsBoolean()
        && System.nanoTime() - end < 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(20_000_000L);
    }
  }

  private void quietly(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      state
          .outage()
          .warn(
              LOG,
              "READPAST-0003 a step of the shutdown failed: "
                  + what
                  + ". Another node takes over the jobs that this node has not released",
              e);
    }
  }

  @Override
  public void logFailure(Logger log, Level level, String what, Throwable why) {
    state.outage().log(log, level, what, why);
  }

  @Override
  public boolean schemaApplied() {
    return true;
  }

  @Override
  public boolean listenerAlive() {
    return listener.alive();
  }

  @Override
  public boolean databaseReachable() {
    return state.registered() && !state.silentFor(settings.heartbeat().multipliedBy(3));
  }

  @Override
  public boolean draining() {
    return state.stopping();
  }

  @Override
  public boolean shuttingDown() {
    return state.shuttingDown();
  }
}
