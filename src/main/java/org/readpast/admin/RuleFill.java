package org.readpast.admin;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.ReadpastException;
import org.readpast.engine.Interruptible;
import org.readpast.engine.Signals;
import org.readpast.model.Rule;
import org.readpast.model.SqlRefusedException;
import org.readpast.store.Enqueues;
import org.readpast.store.JobReads;
import org.readpast.store.RuleRuns;
import org.readpast.store.RuleRuns.Run;
import org.readpast.store.Rules;
import org.readpast.store.Searches;
import org.readpast.store.StatementWatch;
import org.readpast.store.Transactions;

/**
 * Fills a rule: searches, keeps what is found, and turns that into jobs, chunk by chunk.
 *
 * <p>Everything that it has done is in the database, so an attempt that dies is taken up by the
 * next where it was left. One run of a rule fills at a time: else one could find an object whose
 * job the other has enqueued and seen ended meanwhile.
 */
public final class RuleFill {
  private static final Duration NOT_YET = Duration.ofSeconds(2);
  private static final int MOVED_AT_ONCE = 10_000;
  private static final int STREAMED_AT_ONCE = 2_000;
  private static final int CLEARED_AT_ONCE = 10_000;
  private static final int RUNS_KEPT = 100;
  private static final int LONGEST_KEY = 185;

  private final Transactions transactions;
  private final SqlAccess access;
  private final Signals signals;
  private final int largestPayload;
  private final Rules rules;
  private final RuleRuns runs;
  private final Searches searches;
  private final Enqueues enqueues;
  private final JobReads reads;

  /**
   * @param largestPayload of one job, in bytes
   */
  public RuleFill(
      Transactions transactions, SqlAccess access, Signals signals, int largestPayload) {
    this.transactions = transactions;
    this.access = access;
    this.signals = signals;
    this.largestPayload = largestPayload;
    this.rules = new Rules(transactions);
    this.runs = new RuleRuns(transactions);
    this.searches = new Searches(transactions, access.timeout());
    this.enqueues = new Enqueues(transactions);
    this.reads = new JobReads(transactions);
  }

  /**
   * Does, or goes on with, the run that belongs to the job.
   *
   * @param context of a LEASED job
   */
  public JobResult fill(String name, JobContext context) throws Exception {
    Rules.Stored stored = transactions.fresh(() -> rules.find(name));
    if (stored == null) {
      return JobResult.failNow("rule '" + name + "' does not exist");
    }
    Rule rule = stored.rule();
    if (!rule.enabled()) {
      context.log("rule '" + name + "' is disabled; nothing was done");
      return JobResult.done();
    }
    if (!transactions.fresh(() -> runs.takeTurn(name, context.id()))) {
      return JobResult.retryLater(NOT_YET);
    }
    Run begun = transactions.fresh(() -> runs.begin(name, context.id(), context.attempt()));
    return begun == null ? JobResult.done() : fill(rule, begun, context);
  }

  private JobResult fill(Rule rule, Run begun, JobContext context) throws Exception {
    try {
      if (begun.staged() == null) {
        clearLeft(rule, context);
        search(rule, begun, context);
      }
      move(rule, begun, context);
      return JobResult.done();
    } catch (SqlRefusedException e) {
      noteFailure(begun, e);
      return JobResult.failNow(String.valueOf(e.getMessage()));
    } catch (Exception e) {
      noteFailure(begun, e);
      throw e;
    }
  }

  private void noteFailure(Run run, Exception e) {
    // The connection's own interrupt, if any, has done its part.
    boolean interrupted = Thread.interrupted();
    transactions.fresh(
        () -> {
          runs.fail(run, String.valueOf(e.getMessage()));
          return true;
        });
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void clearLeft(Rule rule, JobContext context) throws InterruptedException {
    int cleared;
    do {
      goOn(context);
      cleared = transactions.fresh(() -> runs.clearLeft(rule.name(), CLEARED_AT_ONCE));
    } while (cleared == CLEARED_AT_ONCE);
  }

  private void search(Rule rule, Run run, JobContext context) throws Exception {
    SqlAccess.Source source = access.source(rule.dataSource());
    Set<String> unknown = transactions.fresh(() -> reads.unknownAmong(rule.types()));
    if (!unknown.isEmpty()) {
      throw new SqlRefusedException(
          "no engine has ever registered a handler for type '"
              + String.join("', '", unknown)
              + "' of rule '"
              + rule.name()
              + "'; deploy its handler first");
    }
    String key = searches.keyColumn(source.dataSource(), rule);
    StatementWatch watch =
        context instanceof Interruptible attempt ? attempt::onInterrupt : StatementWatch.NONE;
    if (source.own()) {
      transactions.working(
          access.timeout().multipliedBy(2), () -> searchHere(rule, key, run, watch));
    } else {
      new Streaming(rule, run, context).from(source, key, watch);
    }
  }

  private boolean searchHere(Rule rule, String key, Run run, StatementWatch watch) {
    transactions.mark();
    Searches.Measure found = searches.here(rule, key, watch);
    if (found.largest() > largestPayload) {
      throw tooLarge(rule, found.largest());
    }
    lock(run);
    searches.stage(run);
    runs.note(run, found.found() - found.live(), found.found(), found.live());
    return true;
  }

  /** What is found in another database is kept here first, so that a run knows where it stands. */
  private final class Streaming {
    private final Rule rule;
    private final Run run;
    private final JobContext context;
    private long found;
    private long staged;

    Streaming(Rule rule, Run run, JobContext context) {
      this.rule = rule;
      this.run = run;
      this.context = context;
    }

    void from(SqlAccess.Source source, String key, StatementWatch watch) {
      searches.elsewhere(source.dataSource(), rule, key, STREAMED_AT_ONCE, watch, this::keep);
      note(staged);
    }

    private void keep(List<RuleRuns.Found> objects) {
      for (RuleRuns.Found object : objects) {
        int size = object.payload().getBytes(StandardCharsets.UTF_8).length;
        if (size > largestPayload) {
          throw tooLarge(rule, size);
        }
        if (object.key().length() > LONGEST_KEY) {
          throw new SqlRefusedException(
              "the search of rule '" + rule.name() + "' gives a key of more than 185 characters");
        }
      }
      goOnUnchecked(context);
      staged +=
          transactions.fresh(
              () -> {
                lock(run);
                return runs.stage(run, staged, rule, objects);
              });
      found += objects.size();
      note(null);
    }

    private void note(@Nullable Long through) {
      transactions.fresh(
          () -> {
            lock(run);
            runs.note(run, through, found, found - staged);
            return true;
          });
    }
  }

  private void move(Rule rule, Run begun, JobContext context) throws InterruptedException {
    transactions.fresh(
        () -> {
          enqueues.createQueue(rule.queue());
          transactions.afterCommit(() -> signals.queueChanged(rule.queue()));
          return true;
        });
    Run run;
    do {
      goOn(context);
      run = transactions.fresh(() -> moveSome(rule, begun, context));
      long staged = staged(run);
      context.progress(Math.min(run.moved(), staged), staged);
    } while (run.moved() < staged(run));
  }

  private static long staged(Run run) {
    Long staged = run.staged();
    return staged == null ? 0 : staged;
  }

  private Run moveSome(Rule rule, Run begun, JobContext context) {
    Run run = lock(begun);
    if (run.moved() < staged(run)) {
      runs.move(run, rule, MOVED_AT_ONCE);
      transactions.afterCommit(() -> signals.jobsAvailable(List.of(rule.queue())));
      run = lock(begun);
    }
    if (run.moved() >= staged(run)) {
      runs.complete(run, rule.name(), context.id(), RUNS_KEPT);
    }
    return run;
  }

  private Run lock(Run run) {
    Run locked = runs.lock(run);
    if (locked == null) {
      throw new ReadpastException(
          "run "
              + run.id()
              + " is no longer this attempt's: another one has taken it up, or its rule was deleted");
    }
    return locked;
  }

  private static void goOn(JobContext context) throws InterruptedException {
    if (context.cancellationRequested()) {
      throw new CancellationException("cancelled; what was enqueued stays");
    }
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted; the next attempt goes on from here");
    }
  }

  private static void goOnUnchecked(JobContext context) {
    try {
      goOn(context);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReadpastException("interrupted; the next attempt searches anew", e);
    }
  }

  private SqlRefusedException tooLarge(Rule rule, long bytes) {
    return new SqlRefusedException(
        "the search of rule '"
            + rule.name()
            + "' gives a payload of "
            + bytes
            + " bytes; readpast.payload.max-size allows "
            + largestPayload
            + ", select less");
  }
}
