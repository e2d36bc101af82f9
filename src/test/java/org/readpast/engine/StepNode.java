package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.readpast.api.JobState;
import org.readpast.engine.Settings.QueueSettings;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.model.RetryPolicy;
import org.readpast.model.Verdict;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Claims.Stretch;
import org.readpast.store.EndWatch;
import org.readpast.store.Ended;
import org.readpast.store.Endings;
import org.readpast.store.Enqueues;
import org.readpast.store.Nodes;
import org.readpast.store.SettlingWaves.Wave;
import org.readpast.store.Transactions;
import org.readpast.store.Upkeep;
import org.readpast.support.Deaf;

/**
 * A node without threads of its own: the engine's parts, put together as {@link Engine} does, and
 * each of their steps taken when a test says so, on the test's thread.
 */
public final class StepNode {
  /** How long it counts as alive after a heartbeat. */
  public static final Duration LEASE = Duration.ofSeconds(30);

  /** How long it allows a job. */
  public static final Duration ALLOWED = Duration.ofSeconds(60);

  // By this JVM's clock, which is no part of a test: it always takes itself for alive.
  /** How many of a group it leases at once. */
  public static final int OF_A_GROUP = LeasedReceive.OF_A_GROUP;

  private static final Duration STEADY = Duration.ofDays(1);
  private static final Outage OUTAGE = new Outage("test", "test");

  private final String name;
  private final Transactions transactions;
  private final RetryPolicy retries;
  private final List<String> types;
  private final Nodes nodes;
  private final Claims claims;
  private final Endings endings;
  private final Enqueues enqueues;
  private final Recorder recorder;
  private final Acknowledgements acknowledgements;
  private final Housekeeping housekeeping;
  private final Settlement settlement;
  private final NodeState state = new NodeState(STEADY, OUTAGE);
  private final Watermark watermark = new Watermark();
  private final Map<String, Lanes> lanes = new HashMap<>();

  /**
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
    InWork inWork = new InWork();
    nodes = new Nodes(transactions);
    claims = new Claims(transactions);
    endings = new Endings(transactions, settings::keepsCompleted, () -> {}, EndWatch.NONE);
    enqueues = new Enqueues(transactions);
    Reports reports = new Reports(transactions, this::enqueue, false);
    recorder = new Recorder(transactions, endings, state, counters, new Unheard(), reports);
    acknowledgements = new Acknowledgements(transactions, endings, state, jobs -> {});
    var surroundings =
        new Engine.Surroundings(
            transactions,
            threads,
            () -> null,
            request -> null,
            json -> Map.of(),
            Object::toString,
            Instrumentation.NONE,
            null,
            OUTAGE);
    Workplace at =
        new Workplace(
            settings,
            transactions,
            claims,
            endings,
            this::enqueue,
            new Handlings(List.of(), settings),
            state,
            inWork,
            new Turns(transactions, claims, endings),
            recorder,
            counters,
            new Attempts(claims, nodes, surroundings),
            acknowledgements,
            jobs -> {});
    Dispatcher dispatcher =
        new Dispatcher(at, threads, watermark, new Permits(transactions, state, inWork));
    WakeUps wakeUps = new WakeUps(new Silence(), dispatcher, threads, EndWatch.NONE, false);
    settlement = new Settlement(transactions, state, endings, enqueues, threads, wakeUps);
    housekeeping = new Housekeeping(at, new Upkeep(transactions), new Deaf(), reports);
  }

  private static Settings settings(String name, String unkept) {
    return new Settings(
        name,
        "test",
        true,
        List.of(),
        16,
        4,
        Duration.ofSeconds(5),
        Duration.ofSeconds(3),
        LEASE,
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        false,
        Map.of(),
        Duration.ofDays(90),
        Map.of(unkept, new QueueSettings(null, null, Duration.ZERO, null, null, null)));
  }

  /** Becomes known, and gives the number by which it owns jobs. */
  public int register() {
    UUID id = UUID.randomUUID();
    int no = transactions.bare(() -> nodes.register(id, name, "test", LEASE, List.of(), types));
    state.begin(new Node(id, no));
    lanes.clear();
    return no;
  }

  /** Its number. */
  public int no() {
    return state.no();
  }

  /** Makes its job types known, with the attempts that they are allowed. */
  public void registerTypes() {
    transactions.fresh(
        () -> {
          types.forEach(type -> nodes.registerType(type, retries.maxAttempts()));
          return true;
        });
  }

  /** Proves that it lives; null: it was declared dead. */
  public Nodes.Beat beat(Collection<Long> working) {
    Nodes.Beat beat = transactions.bare(() -> nodes.beat(state.no(), working, 0, List.of()));
    if (beat != null) {
      // As after the death of another: what that held is back where it was.
      lanes.values().forEach(Lanes::startOver);
    }
    return beat;
  }

  /** Enqueues in a transaction of its own. */
  public List<org.readpast.api.Enqueued> enqueue(List<NewJob> jobs) {
    return transactions.joined(
        () -> {
          jobs.stream().map(NewJob::queue).distinct().sorted().forEach(enqueues::createQueue);
          return enqueues.insert(jobs);
        });
  }

  private Lanes lanes(String queue) {
    transactions.bare(
        () -> {
          watermark.observe(claims.lastPosition().position(), claims.openWriters());
          return true;
        });
    Lanes of = lanes.computeIfAbsent(queue, q -> new Lanes(types, watermark));
    of.lookEverywhere();
    return of;
  }

  /** Leases jobs of a queue. */
  public List<ClaimedJob> lease(String queue, int most, boolean limited) {
    Lanes of = lanes(queue);
    Lanes.Look look = of.next(System.nanoTime());
    List<ClaimedJob> jobs =
        transactions.bare(
            () ->
                claims.lease(
                    queue, look.lanes(), most, recorder.unrecorded(), no(), ALLOWED, limited));
    of.found(look, jobs, most, System.nanoTime());
    return jobs;
  }

  /** Leases jobs of the wave and the lane of one, if it is open. */
  public List<ClaimedJob> leaseFromWave(long job, boolean fromTheEnd) {
    return transactions.bare(
        () -> {
          Object[] of =
              (Object[])
                  transactions
                      .entityManager()
                      .createNativeQuery(
                          "select batch, wave, queue, type, priority from readpast_job where id = ?1")
                      .setParameter(1, job)
                      .getSingleResult();
          Wave wave = new Wave(((Number) of[0]).longValue(), ((Number) of[1]).intValue());
          return claims.leaseFromWave(
              new Stretch(
                  wave,
                  of[2].toString(),
                  of[3].toString(),
                  ((Number) of[4]).intValue(),
                  0,
                  Long.MAX_VALUE,
                  fromTheEnd,
                  100),
              no(),
              ALLOWED);
        });
  }

  /** What a transaction does with the job that it has taken. */
  public interface Taken {
    /** Null: there was none. Answers whether to commit. */
    boolean work(ClaimedJob job) throws Exception;
  }

  /** Takes a job in a transaction, which may also work and end it; whether it was committed. */
  public boolean take(String queue, boolean limited, Taken taken) {
    Lanes of = lanes(queue);
    Lanes.Look look = of.next(System.nanoTime());
    boolean committed = false;
    try {
      committed =
          transactions.working(
              ALLOWED,
              () -> {
                ClaimedJob job =
                    claims.take(queue, look.lanes(), recorder.unrecorded(), no(), limited);
                of.found(look, job == null ? List.of() : List.of(job), 1, System.nanoTime());
                return taken.work(job);
              });
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      if (!committed) {
        of.failed(look);
      }
    }
    return committed;
  }

  /** Another node's transaction was rolled back: its job is back where it was. */
  public void lookFromTheStart() {
    lanes.values().forEach(Lanes::startOver);
  }

  /** Turns the job that the current transaction has taken into a lease. */
  public ClaimedJob leaseTaken(ClaimedJob job, boolean cautious) {
    return claims.leaseTaken(job, no(), ALLOWED, cautious);
  }

  /** Says that nothing else is in work here, or that there is; whether the job is still its own. */
  public boolean markAlone(ClaimedJob job, boolean alone) {
    return transactions.fresh(() -> claims.markAlone(job, alone));
  }

  public boolean owns(ClaimedJob job) {
    return transactions.fresh(() -> claims.owns(job));
  }

  /** Those of the jobs that somebody wants cancelled. */
  public Set<Long> cancellations(List<Long> jobs) {
    return transactions.fresh(() -> nodes.cancellationsAmong(jobs));
  }

  /** Ends a job in the current transaction. */
  public boolean end(ClaimedJob job, JobState how) {
    return endings.endAll(List.of(Ended.of(job, how)), no());
  }

  /** Acknowledges the ends of leased jobs, as at the end of a batch. */
  public void acknowledge(List<ClaimedJob> jobs, JobState how) {
    Batch batch = ended(jobs, how);
    acknowledgements.tell(batch);
    giveBack(batch.takeWaiting());
  }

  private static Batch ended(List<ClaimedJob> jobs, JobState how) {
    Batch batch = new Batch(jobs);
    for (ClaimedJob job = batch.next(); job != null; job = batch.next()) {
      batch.ended(Ended.of(job, how));
    }
    return batch;
  }

  /** The same, going on with what is behind it, or with what is next in its group. */
  public List<ClaimedJob> goOn(ClaimedJob job, JobState how) {
    Batch batch = ended(List.of(job), how);
    if (batch.more()) {
      acknowledgements.tell(batch);
      ClaimedJob behind = batch.next();
      if (behind != null) {
        return List.of(behind);
      }
    }
    List<ClaimedJob> next = acknowledgements.tellAndGoOn(batch, ALLOWED, OF_A_GROUP);
    giveBack(batch.takeWaiting());
    return next;
  }

  /** In a transaction of its own. */
  public <T> T inTransaction(Supplier<T> work) {
    return transactions.bare(
        () -> {
          claims.markWork(no());
          return work.get();
        });
  }

  public int giveBack(List<ClaimedJob> jobs) {
    return transactions.fresh(() -> endings.giveBack(jobs));
  }

  /** Judges an attempt; pauses are as long as the policy says. */
  public Verdict verdict(ClaimedJob job) {
    return new Verdict(job.countedAttempts(), job.maxAttempts(), retries, 0.5);
  }

  /** Announces a failure while the job's row is still locked. */
  public void announce(ClaimedJob job) {
    recorder.announce(job);
  }

  /** Records what became of an attempt that did not end well. */
  public void record(ClaimedJob job, Outcome outcome) {
    recorder.record(job, outcome);
  }

  /** Carries out what there is to do now, and what comes of it. */
  public void keepHouse() {
    housekeeping.run();
    housekeeping.run();
  }

  /** Settles who waits for whom. */
  public void settle() {
    settlement.wake();
  }

  /** The same, with all that ended unnoticed: what was met for the first time is known then. */
  public void settleAll() {
    settlement.lookAround();
    settlement.lookAround();
  }

  private static final class Unheard implements Recorder.Afterwards {
    @Override
    public void retried(ClaimedJob job, Duration pause) {}

    @Override
    public void ended(Collection<Long> jobs) {}
  }

  /** Nobody tells anything. */
  private static final class Silence implements Notices {
    @Override
    public List<String> await(Duration longest) {
      return List.of();
    }

    @Override
    public void tell(String notice) {}

    @Override
    public void close() {}
  }
}
