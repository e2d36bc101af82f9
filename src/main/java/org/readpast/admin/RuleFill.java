package org.readpast.admin;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobReads;
import org.readpast.admin.store.RuleRuns;
import org.readpast.admin.store.RuleRuns.Run;
import org.readpast.admin.store.Rules;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.ReadpastException;
import org.readpast.database.Transactions;
import org.readpast.engine.Interruptible;
import org.readpast.engine.Signals;
import org.readpast.engine.UnreadablePayloadException;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.EncryptedException;
import org.readpast.model.QueueScope;
import org.readpast.model.Rule;
import org.readpast.model.SqlRefusedException;

/**
 * Executes a run of a rule: stores the objects that its search finds, and turns them into jobs, one
 * chunk at a time.
 *
 * <p>All progress is stored in the database, so a new attempt continues where a failed one stopped.
 * Only one run of a rule is active at a time. If two runs of a rule were active, one could find an
 * object whose job has just ended in the other, and the object would be processed twice.
 */
public final class RuleFill {
  private static final Duration NOT_YET = Duration.ofSeconds(2);
  private static final int AT_ONCE = 10_000;
  private static final int RUNS_KEPT = 100;

  private final Transactions transactions;
  private final Signals signals;
  private final UnaryOperator<String> storedType;
  private final Rules rules;
  private final RuleRuns runs;
  private final RuleSearch search;
  private final Enqueues enqueues;
  private final JobReads reads;

  /**
   * @param storedType returns the stored form of a job type that a rule names
   * @param largestPayload the maximum size of a payload in bytes
   */
  public RuleFill(
      Transactions transactions,
      SqlAccess access,
      Signals signals,
      UnaryOperator<String> storedType,
      int largestPayload) {
    this.transactions = transactions;
    this.storedType = storedType;
    this.signals = signals;
    this.rules = new Rules(transactions);
    this.runs = new RuleRuns(transactions);
    this.search = new RuleSearch(transactions, access, runs, largestPayload);
    this.enqueues = new Enqueues(transactions);
    this.reads = new JobReads(transactions, QueueScope.ALL);
  }

  /**
   * Starts or continues the run that belongs to a job.
   *
   * @param context the context of a LEASED job
   */
  public JobResult fill(String name, JobContext context) throws Exception {
    Rules.Stored stored = transactions.requiresNew(() -> rules.find(name, QueueScope.ALL));
    if (stored == null) {
      return JobResult.failNow("rule '" + name + "' does not exist");
    }
    if (!stored.rule().enabled()) {
      context.log("rule '" + name + "' is disabled; nothing was done");
      return JobResult.done();
    }
    Turn turn = transactions.requiresNew(() -> begin(name, context));
    if (turn == null) {
      return JobResult.retryLater(NOT_YET);
    }
    return turn.run() == null ? JobResult.done() : fill(turn.rule(), turn.run(), context);
  }

  /**
   * States whether a job may run its rule.
   *
   * @param run the run, or null if the job has already completed it
   */
  private record Turn(Rule rule, @Nullable Run run) {}

  /** Begins a run or finds the run of the job; returns null if another run is active. */
  private @Nullable Turn begin(String name, JobContext context) {
    if (!runs.takeTurn(name, context.id())) {
      return null;
    }
    // The rule was locked when this run was reserved, so it stays unchanged until the run has
    // begun.
    Rules.Stored now = Objects.requireNonNull(rules.find(name, QueueScope.ALL));
    return new Turn(now.rule(), runs.begin(name, context.id(), context.attempt(), now.changedAt()));
  }

  private JobResult fill(Rule rule, Run begun, JobContext context) throws Exception {
    try {
      refuseUnknownTypes(rule);
      if (begun.staged() == null) {
        clearLeft(rule, begun, context);
        Interruptible attempt = context instanceof Interruptible i ? i : null;
        search.search(rule, begun, attempt, run -> goOn(run, context));
      }
      move(rule, begun, context);
      return JobResult.done();
    } catch (SqlRefusedException e) {
      noteFailure(begun, e);
      return JobResult.failNow(String.valueOf(e.getMessage()));
    } catch (EncryptedException e) {
      noteFailure(begun, e);
      // The run is left to a node that has the key.
      throw new UnreadablePayloadException(String.valueOf(e.getMessage()), e);
    } catch (Exception e) {
      noteFailure(begun, e);
      throw e;
    }
  }

  private void refuseUnknownTypes(Rule rule) {
    Set<String> unknown = transactions.requiresNew(() -> reads.unknownAmong(rule.types()));
    if (!unknown.isEmpty()) {
      throw new SqlRefusedException(
          "no engine has ever registered a handler for type '"
              + String.join("', '", unknown)
              + "' of rule '"
              + rule.name()
              + "'; deploy a handler for it first");
    }
  }

  private void noteFailure(Run run, Exception e) {
    // An interrupt that ended the attempt must not also stop the next step.
    boolean interrupted = Thread.interrupted();
    transactions.requiresNew(
        () -> {
          runs.fail(run, String.valueOf(e.getMessage()));
          return true;
        });
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void clearLeft(Rule rule, Run run, JobContext context) {
    int cleared;
    do {
      cleared =
          transactions.requiresNew(
              () -> {
                goOn(run, context);
                return runs.clearLeft(rule.name(), AT_ONCE);
              });
    } while (cleared == AT_ONCE);
  }

  private void move(Rule rule, Run begun, JobContext context) {
    transactions.requiresNew(
        () -> {
          enqueues.createQueue(rule.queue());
          transactions.afterCommit(() -> signals.queueChanged(rule.queue()));
          return true;
        });
    Run run;
    do {
      run = transactions.requiresNew(() -> moveSome(rule, begun, context));
      long staged = staged(run);
      context.progress(Math.min(run.moved(), staged), staged);
    } while (run.moved() < staged(run));
  }

  private Run moveSome(Rule rule, Run begun, JobContext context) {
    Run run = goOn(begun, context);
    if (run.moved() < staged(run)) {
      runs.move(run, rule, storedType.apply(rule.firstType()), AT_ONCE);
      transactions.afterCommit(() -> signals.jobsAvailable(List.of(rule.queue())));
      run = goOn(begun, context);
    }
    if (run.moved() >= staged(run)) {
      runs.complete(run, rule.name(), context.id(), RUNS_KEPT);
    }
    return run;
  }

  private static long staged(Run run) {
    Long staged = run.staged();
    if (staged == null) {
      throw new ReadpastException(
          "the objects that run "
              + run.id()
              + " found were deleted; the next attempt searches again");
    }
    return staged;
  }

  /**
   * Locks the run, and returns its current state. Throws an exception if this attempt must not
   * continue the run.
   */
  private Run goOn(Run run, JobContext context) {
    if (context.cancellationRequested()) {
      throw new CancellationException("cancelled; jobs that were enqueued remain");
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new ReadpastException("interrupted; the next attempt continues from here");
    }
    Run locked = runs.lock(run);
    if (locked == null) {
      throw new ReadpastException(
          "run "
              + run.id()
              + " no longer belongs to this attempt: another attempt has taken it over,"
              + " or its rule was deleted");
    }
    return locked;
  }
}
