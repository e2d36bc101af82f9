package org.readpast.support;

import jakarta.json.Json;
import jakarta.json.JsonString;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.admin.Audit;
import org.readpast.admin.EndWaiter;
import org.readpast.admin.KeyRotation;
import org.readpast.admin.Reports;
import org.readpast.admin.RuleControl;
import org.readpast.admin.store.Rules;
import org.readpast.api.Backoff;
import org.readpast.api.Enqueued;
import org.readpast.api.JobEvent;
import org.readpast.api.JobRequest;
import org.readpast.api.JobState;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReceiveMode;
import org.readpast.database.Outage;
import org.readpast.engine.Engine;
import org.readpast.engine.EnginePorts;
import org.readpast.engine.HandlerDefinition;
import org.readpast.engine.HandlerRegistry;
import org.readpast.engine.Instrumentation;
import org.readpast.engine.Notices;
import org.readpast.engine.Settings;
import org.readpast.engine.Settings.ConfiguredTypeLimits;
import org.readpast.engine.Settings.QueueSettings;
import org.readpast.engine.Settings.TypeConcurrency;
import org.readpast.engine.Signals;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.Owner;
import org.readpast.model.RetentionRules;
import org.readpast.model.RetryPolicy;
import org.readpast.model.Rule;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.SchemaName;
import org.readpast.retention.Retention;
import org.readpast.runtime.EventFilter;
import org.readpast.runtime.JobEventDispatcher;
import org.readpast.runtime.JobEventReader;
import org.readpast.runtime.JobObservers;
import org.readpast.runtime.PgNotices;
import org.readpast.schedule.ScheduleClock;
import org.readpast.schedule.ScheduleDeclarations;
import org.readpast.schedule.ScheduleDeclarations.Declared;
import org.readpast.schedule.ScheduleFiring;
import org.readpast.store.Claims;

/**
 * Runs one engine in this JVM, on a real database. The payloads of the node's jobs are any JSON. By
 * default, it neither sends nor receives notifications, so only its own signals wake it;
 * {@linkplain #notifiesOtherNodes()} changes that.
 */
public final class TestNode implements AutoCloseable {
  private final Database database;
  private final LocalTransactions transactions;
  private final List<HandlerDefinition> handlers = new ArrayList<>();
  private final Map<String, QueueSettings> queues = new HashMap<>();
  private final Map<String, TypeConcurrency> typeLimits = new HashMap<>();
  private final Map<String, String> aliases = new HashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(5);
  private final Map<JobState, Duration> kept = new HashMap<>();
  private final Map<String, Map<JobState, Duration>> keptOfTypes = new HashMap<>();
  private final Map<String, Map<JobState, Duration>> keptOfQueues = new HashMap<>();
  private final Set<String> withoutPayload = new HashSet<>();
  private Owner owner = new Owner("test", "test");
  private String name = "test";
  private Duration auditKept = Duration.ofDays(90);
  private Duration lease = Duration.ofSeconds(10);
  private Duration poll = Duration.ofMillis(500);
  private Duration grace = Duration.ofSeconds(5);
  private int workers = 16;
  private int concurrency = 4;
  private long prefetchBytes = 64L << 20;
  private Instrumentation instrumentation = Instrumentation.NONE;
  private boolean notifiesOtherNodes;
  private JobObservers observers = new NoObservers();
  private volatile boolean dead;
  private volatile boolean refusesThreads;
  private Function<JobRequest, NewJob> preparer = TestNode::prepare;
  private Function<Object, String> resultWriter = result -> '"' + result.toString() + '"';
  private Engine engine;
  private Settings settings;
  private Outage outage;
  private JobEventDispatcher eventDispatcher;
  private List<Declared> declared = List.of();

  public TestNode(Database database) {
    this.database = database;
    this.transactions = new LocalTransactions(database);
  }

  private void startThread(Runnable task) {
    if (refusesThreads) {
      throw new RejectedExecutionException("no thread is available");
    }
    threads.execute(task);
  }

  /** Makes this node refuse new threads, as a server does whose threads are all in use. */
  public void refuseThreads(boolean refuses) {
    refusesThreads = refuses;
  }

  /** Registers a handler with up to three attempts and pauses of 50 ms. */
  public TestNode handles(String type, ReceiveMode mode, HandlerDefinition.Work work) {
    return handles(
        type,
        mode,
        new RetryPolicy(
            3, Backoff.FIXED, Duration.ofMillis(50), Duration.ofSeconds(1), 0, List.of()),
        Duration.ofSeconds(20),
        work);
  }

  public TestNode handles(
      String type,
      ReceiveMode mode,
      RetryPolicy retries,
      Duration timeout,
      HandlerDefinition.Work work) {
    return handles(type, mode, 1, retries, timeout, work);
  }

  /**
   * Registers a handler. Registers a handler of which up to the given number of jobs may share a
   * transaction.
   */
  public TestNode handles(
      String type,
      ReceiveMode mode,
      int jobsPerTransaction,
      RetryPolicy retries,
      Duration timeout,
      HandlerDefinition.Work work) {
    return handles(
        new HandlerDefinition(
            type,
            null,
            mode,
            timeout,
            jobsPerTransaction,
            retries,
            Set.of(),
            OnLostLease.CONTINUE,
            work,
            null));
  }

  public TestNode handles(HandlerDefinition handler) {
    handlers.add(handler);
    return this;
  }

  /** Sets the names of the application and the node that the log shows. */
  public TestNode named(String newApplication, String newName) {
    return owned(new Owner(newApplication, newApplication), newName);
  }

  /** Sets the owner of the node, which is an application or a module of one, and its name. */
  public TestNode owned(Owner newOwner, String newName) {
    owner = newOwner;
    name = newName;
    return this;
  }

  public TestNode lease(Duration value) {
    lease = value;
    return this;
  }

  /** Sets the number of receivers across all queues. */
  public TestNode workers(int value) {
    workers = value;
    return this;
  }

  public TestNode concurrency(int value) {
    concurrency = value;
    return this;
  }

  /** Sets the number of payload bytes that the node leases ahead. */
  public TestNode prefetchBytes(long value) {
    prefetchBytes = value;
    return this;
  }

  public TestNode poll(Duration value) {
    poll = value;
    return this;
  }

  /** Sets the observers of ended jobs. */
  public TestNode observedBy(JobObservers value) {
    observers = value;
    return this;
  }

  /** Sends notifications to other nodes, and receives their notifications. */
  public TestNode notifiesOtherNodes() {
    notifiesOtherNodes = true;
    return this;
  }

  public TestNode instrumentation(Instrumentation value) {
    instrumentation = value;
    return this;
  }

  public TestNode grace(Duration value) {
    grace = value;
    return this;
  }

  public TestNode queue(String name, QueueSettings settings) {
    queues.put(name, settings);
    return this;
  }

  /** Limits the number of jobs of a type, on this node and across all nodes; null for no limit. */
  public TestNode limits(String type, Integer here, Integer overAllNodes) {
    typeLimits.put(type, new TypeConcurrency(here, overAllNodes));
    return this;
  }

  /** Makes one type an alias of another. */
  public TestNode alias(String alias, String type) {
    aliases.put(alias, type);
    return this;
  }

  public TestNode keeps(JobState state, Duration time) {
    kept.put(state, time);
    return this;
  }

  /** Keeps ended jobs of a type in the given state for the given time. */
  public TestNode keepsOfType(String type, JobState state, Duration time) {
    keptOfTypes.computeIfAbsent(type, none -> new HashMap<>()).put(state, time);
    return this;
  }

  /** Keeps ended jobs of a queue in the given state for the given time. */
  public TestNode keepsOfQueue(String queue, JobState state, Duration time) {
    keptOfQueues.computeIfAbsent(queue, none -> new HashMap<>()).put(state, time);
    return this;
  }

  /** Does not keep the payload of jobs of this type that succeed. */
  public TestNode forgetsPayloadOf(String type) {
    withoutPayload.add(type);
    return this;
  }

  public TestNode keepsAudit(Duration time) {
    auditKept = time;
    return this;
  }

  /** Declares schedules, as methods or a configuration would do. */
  public TestNode declares(ScheduleDefinition... schedules) {
    declared = Stream.of(schedules).map(one -> new Declared(one, "test")).toList();
    return this;
  }

  /** Declares rules, as a configuration would do. */
  public TestNode declares(Rule... rules) {
    declared = Stream.of(rules).map(RuleControl::declared).toList();
    return this;
  }

  /**
   * Encrypts with the first of the given keys, and decrypts with all of them. The keys are derived
   * from their ids.
   */
  public TestNode encrypts(String... keys) {
    transactions.encryptWith(TestKeys.encryption(keys));
    return this;
  }

  /** Serializes what handlers enqueue and return, as an application does. */
  public TestNode writes(
      Function<JobRequest, NewJob> newPreparer, Function<Object, String> newResultWriter) {
    preparer = newPreparer;
    resultWriter = newResultWriter;
    return this;
  }

  public TestNode start() {
    settings =
        new Settings(
            owner,
            name,
            "test",
            true,
            List.of(),
            workers,
            concurrency,
            prefetchBytes,
            poll,
            lease,
            Duration.ofSeconds(1),
            grace,
            notifiesOtherNodes,
            new RetentionRules(kept, keptOfQueues, keptOfTypes, withoutPayload),
            auditKept,
            Duration.ofDays(7),
            queues,
            new ConfiguredTypeLimits(typeLimits, aliases));
    outage = new Outage(owner.name(), name);
    KeyRotation rotation = new KeyRotation(transactions, new Later());
    rotation.check();
    if (transactions.encryption().hasCipher()) {
      handlers.add(rotation.handler());
    }
    var schedules =
        new ScheduleDeclarations(transactions, settings, declared, new Rules(transactions));
    HandlerRegistry registry = new HandlerRegistry(handlers, settings);
    eventDispatcher =
        new JobEventDispatcher(
            observers,
            new JobEventReader(transactions, TestNode::readProperties),
            threads::execute,
            settings.retention());
    engine =
        new Engine(
            settings,
            registry,
            new EnginePorts(
                transactions,
                this::startThread,
                () -> notifiesOtherNodes ? new HeardNotices(outage) : new StillNotices(),
                preparer,
                TestNode::readProperties,
                resultWriter,
                instrumentation,
                eventDispatcher,
                enqueuer -> new Reports(transactions, enqueuer, registry.knows(Reports.WEBHOOK)),
                enqueuer ->
                    new ScheduleClock(
                        new ScheduleFiring(transactions, enqueuer), schedules, outage),
                schedules::declare,
                outage));
    Retention retention = retention();
    engine.start();
    every(settings.heartbeat(), engine::beat);
    every(Duration.ofMillis(100), engine::check);
    every(Duration.ofMillis(100), engine::relieveReceivers);
    every(Duration.ofMillis(500), engine.maintenance()::run);
    every(Duration.ofMillis(500), retention::run);
    return this;
  }

  /** Passes signals to the engine, which is created later. */
  private final class Later implements Signals {
    @Override
    public void queueChanged(String queue) {
      engine.signals().queueChanged(queue);
    }

    @Override
    public void orderChanged() {
      engine.signals().orderChanged();
    }

    @Override
    public void schedulesChanged() {
      engine.signals().schedulesChanged();
    }

    @Override
    public void jobsAvailable(Collection<String> queues) {
      engine.signals().jobsAvailable(queues);
    }

    @Override
    public void restored(List<Claims.ReopenedLane> lanes) {
      engine.signals().restored(lanes);
    }
  }

  private void every(Duration period, Runnable step) {
    clock.scheduleWithFixedDelay(step, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  public Engine engine() {
    return engine;
  }

  /** Returns a retention whose tasks are all due, unlike those of the one that this node runs. */
  public Retention retention() {
    return new Retention(settings, transactions, engine.signals(), outage);
  }

  /** Returns the component with which callers wait for ended jobs. */
  public EndWaiter endWaiter() {
    return new EndWaiter(transactions, engine::endSignals);
  }

  public JobEventDispatcher eventDispatcher() {
    return eventDispatcher;
  }

  /** Returns an audit log that records changes under the name "tester". */
  public Audit audit() {
    return new Audit(transactions, () -> "tester");
  }

  /** Returns what the node knows about the availability of the database. */
  public Outage outage() {
    return outage;
  }

  public LocalTransactions transactions() {
    return transactions;
  }

  public Database database() {
    return database;
  }

  public long enqueue(String type) {
    return enqueue(job(type)).get(0).id();
  }

  public List<Enqueued> enqueue(NewJob... jobs) {
    return engine.enqueuer().enqueue(List.of(jobs));
  }

  /** Stores jobs without a running engine. */
  public void enqueueOnly(NewJob... jobs) {
    Enqueues enqueues = new Enqueues(transactions);
    transactions.required(
        () -> {
          List.of(jobs).stream().map(NewJob::queue).distinct().forEach(enqueues::createQueue);
          return enqueues.insert(List.of(jobs));
        });
  }

  /** Returns a job with default headers, in the queue "q". */
  public static NewJob job(String type) {
    return job(type, 4, null);
  }

  public static NewJob job(String type, int priority, Duration delay) {
    return new NewJob("q", type, priority, delay, null, null, null, null, null, null, null, "{}");
  }

  /** Returns a job with this payload and otherwise default headers. */
  public static NewJob job(String type, String payload) {
    return new NewJob("q", type, 4, null, null, null, null, null, null, null, null, payload);
  }

  /** Returns a job with the given dependencies and otherwise default headers. */
  public static NewJob job(String type, JobDependencies dependencies) {
    return new NewJob(
        "q", type, 4, null, null, null, null, null, null, null, null, dependencies, "{}", null);
  }

  private static Map<String, String> readProperties(String json) {
    Map<String, String> properties = new HashMap<>();
    if (json != null) {
      Json.createReader(new StringReader(json))
          .readObject()
          .forEach((name, value) -> properties.put(name, ((JsonString) value).getString()));
    }
    return properties;
  }

  /** Returns a job whose type is the payload of the request. */
  private static NewJob prepare(JobRequest request) {
    return job(request.payload().toString());
  }

  /**
   * Makes the node silent like a frozen process: it sends no heartbeats and does not drain, and
   * jobs on its threads may end late. The method interrupts no thread, because an interrupt of a
   * thread that is logging would close the channel of the build itself.
   */
  public void die() {
    dead = true;
    clock.shutdown();
    threads.shutdown();
  }

  /** Returns true if all threads of a node that has died have ended. */
  public boolean threadsEnded() {
    return threads.isTerminated();
  }

  @Override
  public void close() {
    if (engine != null && !dead) {
      engine.stop();
      eventDispatcher.close(Duration.ofSeconds(3));
    }
    clock.shutdown();
    threads.shutdown();
    try {
      clock.awaitTermination(10, TimeUnit.SECONDS);
      threads.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    transactions.close();
  }

  private static final class NoObservers implements JobObservers {
    @Override
    public List<EventFilter> filters() {
      return List.of();
    }

    @Override
    public void deliver(JobEvent job) {
      throw new AssertionError("notified of " + job);
    }
  }

  /** Receives notifications like a server, until the node is dead. */
  private final class HeardNotices implements Notices {
    private final Notices real;

    HeardNotices(Outage outage) {
      var source = new PGSimpleDataSource();
      source.setUrl(database.url());
      source.setUser(database.user());
      source.setPassword(database.password());
      real = new PgNotices(source, new SchemaName(database.schema()), outage);
    }

    @Override
    public List<String> await(Duration longest) throws InterruptedException {
      if (dead) {
        throw new InterruptedException();
      }
      return real.await(longest);
    }

    @Override
    public void send(String notice) {
      real.send(notice);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  /** Receives no notifications, and only waits. */
  private final class StillNotices implements Notices {
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public List<String> await(Duration longest) throws InterruptedException {
      if (dead) {
        throw new InterruptedException();
      }
      never.await(
          Math.min(longest.toMillis(), MAX_WAIT_WITHOUT_NOTIFICATIONS.toMillis()),
          TimeUnit.MILLISECONDS);
      return List.of();
    }

    @Override
    public void send(String notice) {}

    @Override
    public void close() {}
  }
}
