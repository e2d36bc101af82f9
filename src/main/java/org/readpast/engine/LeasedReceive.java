package org.readpast.engine;

import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims.Stretch;
import org.readpast.store.Ended;
import org.readpast.store.TransientErrors;

/**
 * Receive and commit, work, then acknowledge in a second short transaction, many jobs at a time.
 */
final class LeasedReceive {
  private static final long UNTOLD_NANOS = 10_000_000L;

  // A twentieth of the work that a claim is for: where commits take long, nobody waits much for his
  // turn.
  private static final long LONGEST_TURN_MILLIS = 5;

  // As long as a job of a higher priority may wait, as a rule, that has come from another node.
  // To let what is next in groups go, and claim it again, takes longer than to work it: so not
  // before something else waits, as far as is known; and what is not known waits no longer than so.
  private static final long IN_GROUPS_NANOS = Lanes.FULL_LOOK_NANOS;
  private static final long LONGEST_IN_GROUPS_NANOS = 4 * IN_GROUPS_NANOS;

  // To find a group's next takes as long as to lease two: four at a time cost a quarter less each,
  // eight a third.
  static final int OF_A_GROUP = 4;
  // What is leased by a statement comes in one row: the next are likely to be as large as these.
  private static final long MOST_PAYLOADS = 50_000_000;

  private final Workplace at;

  LeasedReceive(Workplace at) {
    this.at = at;
  }

  /**
   * Receives as many jobs as are likely to be started soon, and works them one after the other.
   *
   * @param more called when there may be work for another receiver
   * @param wanted whether the receiver is wanted elsewhere
   * @return how many jobs were received
   */
  int receive(Line line, Way way, Runnable more, BooleanSupplier wanted)
      throws InterruptedException {
    Lanes lanes = way.lanes();
    lanes.awaitTurn(LONGEST_TURN_MILLIS);
    Lanes.Look look = lanes.next(System.nanoTime());
    int most = at.node().cautious() ? 1 : line.prefetch();
    List<ClaimedJob> jobs;
    try {
      jobs = look.lanes().isEmpty() ? List.of() : claim(line, look, most);
    } catch (RuntimeException e) {
      lanes.failed(look);
      throw e;
    }
    boolean tooEarly = lanes.found(look, jobs, most, System.nanoTime());
    if (jobs.isEmpty()) {
      return receiveFromWaves(line, way, most, tooEarly, more);
    }
    if (jobs.size() == most || tooEarly) {
      more.run();
    }
    int received = 0;
    long start = System.nanoTime();
    IntPredicate goOn = groups -> goesOn(line, groups, System.nanoTime() - start, wanted);
    while (!jobs.isEmpty()) {
      long here = jobs.stream().flatMap(ClaimedJob::all).count();
      at.counters().of(line.queue()).received.add(here);
      received += (int) here;
      jobs = work(line, jobs, null, goOn);
    }
    return received;
  }

  /** Works a job whose lease has been committed already. */
  void workOne(Line line, ClaimedJob job) throws InterruptedException {
    work(line, List.of(job), null, some -> false);
  }

  private List<ClaimedJob> claim(Line line, Lanes.Look look, int most) {
    return at.transactions()
        .single(
            () ->
                at.claims()
                    .lease(
                        line.queue(),
                        look.lanes(),
                        most,
                        at.recorder().unrecorded(),
                        at.node().no(),
                        at.handlings().longestTimeout(),
                        line.limited()));
  }

  /** What is AVAILABLE comes first: it was let go before. */
  private int receiveFromWaves(Line line, Way way, int most, boolean tooEarly, Runnable more)
      throws InterruptedException {
    if (line.limited() || at.node().cautious()) {
      return 0;
    }
    for (OpenWave wave : way.openWaves()) {
      Stretch stretch = wave.enter(most);
      if (stretch != null) {
        if (wave.admitsAnother()) {
          // It takes long enough to claim so many: another need not wait for that.
          more.run();
        }
        List<ClaimedJob> jobs = claimFromWave(wave, stretch);
        if (!jobs.isEmpty()) {
          workOfWave(line, wave, jobs, jobs.size() == most || tooEarly ? more : () -> {});
          return jobs.size();
        }
      }
    }
    return 0;
  }

  private void workOfWave(Line line, OpenWave wave, List<ClaimedJob> jobs, Runnable more)
      throws InterruptedException {
    try {
      more.run();
      at.counters().of(line.queue()).received.add(jobs.size());
      // What is claimed so is in no group.
      work(line, jobs, wave, some -> false);
    } finally {
      wave.putDown();
    }
  }

  private List<ClaimedJob> claimFromWave(OpenWave wave, Stretch stretch) {
    List<ClaimedJob> jobs;
    try {
      jobs =
          at.transactions()
              .single(
                  () ->
                      at.claims()
                          .leaseFromWave(stretch, at.node().no(), at.handlings().longestTimeout()));
    } catch (RuntimeException | Error e) {
      wave.fail(stretch);
      throw e;
    }
    wave.leave(stretch, jobs);
    return jobs;
  }

  /**
   * Works jobs of one lease; what is behind them once the database knows that they have ended.
   *
   * @param wave from which they were claimed as they waited, or null
   * @param goOn whether nothing is more urgent than what is next in their groups
   * @return what is next in their groups, leased too
   */
  private List<ClaimedJob> work(
      Line line, List<ClaimedJob> jobs, @Nullable OpenWave wave, IntPredicate goOn)
      throws InterruptedException {
    Batch batch = new Batch(jobs, wave);
    at.inWork().add(batch);
    long start = System.nanoTime();
    int worked = 0;
    try {
      for (ClaimedJob job = next(batch); job != null; job = next(batch)) {
        ClaimedJob current = job;
        at.turns()
            .take(
                current,
                turn -> {
                  workOne(current, batch, turn);
                  if (current.suspect()) {
                    // Before the next has its turn: a crash then would be charged to this one.
                    at.acknowledgements().tell(batch);
                  }
                });
        worked++;
        if (batch.untoldLongerThan(UNTOLD_NANOS, System.nanoTime())) {
          at.acknowledgements().tell(batch);
        }
        if (line.overstaffed() || at.node().stopping()) {
          break;
        }
      }
      line.ran(System.nanoTime() - start, Math.max(1, worked));
      if (batch.more()) {
        at.acknowledgements().tell(batch);
      }
      giveBack(batch);
      if (mayGoOn(line, jobs) && goOn.test(jobs.size())) {
        return at.acknowledgements()
            .tellAndGoOn(batch, at.handlings().longestTimeout(), mostOfAGroup(line, jobs));
      }
      at.acknowledgements().tell(batch);
      giveBack(batch);
      return List.of();
    } finally {
      // What could not be told or given back stays with the watch.
      batch.leave();
      if (batch.finished()) {
        at.inWork().remove(batch);
      }
    }
  }

  private @Nullable ClaimedJob next(Batch batch) {
    ClaimedJob job = batch.next();
    while (job == null && batch.more()) {
      // Or waits for the watch, who is at it.
      at.acknowledgements().tell(batch);
      job = batch.next();
    }
    return job;
  }

  /** How many of each of their groups are begun soon, and may be held together. */
  private int mostOfAGroup(Line line, List<ClaimedJob> jobs) {
    long payloads =
        jobs.stream().flatMap(ClaimedJob::all).mapToLong(job -> job.payload().length()).sum();
    // What a dead node had would be discarded, begun or not.
    boolean atMostOnce =
        jobs.stream().anyMatch(job -> at.handlings().get(job.type()).retries().maxAttempts() == 1);
    return payloads > MOST_PAYLOADS || atMostOnce
        ? 1
        : Math.max(1, Math.min(OF_A_GROUP, line.soon() / jobs.size()));
  }

  /** Whether a receiver goes on in so many groups that has been in them for so long. */
  static boolean goesOn(Line line, int groups, long nanos, BooleanSupplier wanted) {
    return nanos < IN_GROUPS_NANOS
        || (nanos < LONGEST_IN_GROUPS_NANOS
            // Else their jobs take longer than it looked: others are to have some of them.
            && groups <= 2 * line.prefetch()
            && line.quiet()
            && !wanted.getAsBoolean());
  }

  private boolean mayGoOn(Line line, List<ClaimedJob> jobs) {
    return jobs.stream().anyMatch(ClaimedJob::grouped)
        && !line.limited()
        && !line.overstaffed()
        && !at.node().cautious()
        && !at.node().stopping();
  }

  private void workOne(ClaimedJob job, Batch batch, AloneGate.Turn turn) {
    Handling handling = at.handlings().get(job.type());
    if (job.expired()) {
      batch.ended(Ended.of(job, JobState.EXPIRED));
      return;
    }
    Attempt attempt = at.attempts().begin(job, handling, turn);
    at.inWork().add(attempt);
    try {
      end(attempt, handling, batch);
    } catch (Throwable t) {
      // Unsaid, it would look like a claim that never arrived, and be given back as if not begun.
      record(job, Execution.unsaid(job, handling, t), batch);
      throw t;
    } finally {
      at.counters().of(job.queue()).ran(job, attempt.age(System.nanoTime()));
      at.inWork().remove(attempt);
    }
  }

  private void end(Attempt attempt, Handling handling, Batch batch) {
    ClaimedJob job = attempt.job();
    Outcome outcome = Execution.run(attempt, handling);
    if (at.transactions().rollBackLeftOpen() && outcome instanceof Outcome.Completed) {
      outcome =
          Execution.failed(
              job,
              handling,
              new ReadpastException(
                  "the handler returned, but has left its own transaction open; it was rolled"
                      + " back"),
              false);
    }
    if (outcome instanceof Outcome.Completed completed) {
      if (attempt.followers().isEmpty()) {
        batch.ended(Ended.well(job, completed.result()));
      } else {
        outcome = endWithFollowers(attempt, handling, completed);
        if (outcome instanceof Outcome.Completed) {
          batch.through(job);
        }
      }
    }
    if (outcome instanceof Outcome.Completed) {
      at.counters().of(job.queue()).completed.increment();
      return;
    }
    at.counters().of(job.queue()).failed.increment();
    if (outcome instanceof Outcome.NotOurs) {
      batch.leaveBehind(job);
    } else {
      record(job, outcome, batch);
    }
  }

  private void record(ClaimedJob job, Outcome outcome, Batch batch) {
    if (at.recorder().record(job, outcome)) {
      batch.recorded(job);
    } else {
      batch.leaveBehind(job);
    }
  }

  /** Ends a job together with the coming of what it has enqueued. */
  private Outcome endWithFollowers(
      Attempt attempt, Handling handling, Outcome.Completed completed) {
    ClaimedJob job = attempt.job();
    boolean owned;
    try {
      owned =
          at.transactions()
              .fresh(
                  () -> {
                    boolean ended =
                        at.endings().complete(job.alone(), completed.result(), at.node().no());
                    if (ended) {
                      at.enqueuer().enqueue(attempt.followers());
                    }
                    return ended;
                  });
    } catch (RuntimeException e) {
      if (TransientErrors.isTransient(e) || TransientErrors.isOutage(e)) {
        throw e;
      }
      // What it has enqueued is refused, as a batch that is sealed would refuse it again.
      return Execution.failed(job, handling, e, false);
    }
    if (!owned) {
      Acknowledgements.lost(List.of(job));
      return new Outcome.NotOurs();
    }
    at.ended().accept(List.of(job.id()));
    return completed;
  }

  /** Gives back what was not started; gives the queues that have something again. */
  Set<String> giveBack(Batch batch) {
    List<ClaimedJob> waiting = batch.takeWaiting();
    if (!waiting.isEmpty()) {
      at.transactions().fresh(() -> at.endings().giveBack(waiting));
      batch.givenBack(waiting);
    }
    return waiting.stream().map(ClaimedJob::queue).collect(Collectors.toSet());
  }
}
