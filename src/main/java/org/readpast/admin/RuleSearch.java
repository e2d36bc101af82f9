package org.readpast.admin;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.RuleRuns;
import org.readpast.admin.store.RuleRuns.Run;
import org.readpast.admin.store.Searches;
import org.readpast.admin.store.StatementWatch;
import org.readpast.database.Transactions;
import org.readpast.engine.Interruptible;
import org.readpast.model.Rule;
import org.readpast.model.SqlRefusedException;

/**
 * Executes the first half of a run: the search, whose objects are stored in the queue's database.
 * If the search also runs in that database, a single statement searches and stores. If the search
 * runs in another database, the found objects are transferred in chunks.
 */
final class RuleSearch {
  private static final int AT_ONCE = 2_000;
  private static final int LONGEST_KEY = 185;

  private final Transactions transactions;
  private final SqlAccess access;
  private final RuleRuns runs;
  private final Searches searches;
  private final int largestPayload;

  RuleSearch(Transactions transactions, SqlAccess access, RuleRuns runs, int largestPayload) {
    this.transactions = transactions;
    this.access = access;
    this.runs = runs;
    this.searches = new Searches(transactions, access.timeout());
    this.largestPayload = largestPayload;
  }

  /**
   * Executes the search of a run.
   *
   * @param goOn locks the run in the current transaction; throws an exception if the run must end
   */
  void search(Rule rule, Run run, @Nullable Interruptible attempt, Consumer<Run> goOn)
      throws Exception {
    SqlAccess.Source source = access.source(rule.dataSource());
    String key = searches.keyColumn(source.dataSource(), rule);
    StatementWatch watch = attempt == null ? StatementWatch.NONE : attempt::onInterrupt;
    if (source.own()) {
      transactions.inHandlerTransaction(
          access.timeout().multipliedBy(2), () -> here(rule, key, run, watch, goOn));
    } else {
      Streaming streaming = new Streaming(rule, run, goOn);
      searches.elsewhere(source.dataSource(), rule, key, AT_ONCE, watch, streaming::keep);
      streaming.end();
    }
  }

  private boolean here(Rule rule, String key, Run run, StatementWatch watch, Consumer<Run> goOn) {
    transactions.limitIdleTime();
    Searches.Measure found = searches.here(rule, key, watch);
    check(rule, found.largest());
    goOn.accept(run);
    searches.stage(run);
    runs.note(run, found.found() - found.live(), found.found(), found.live());
    return true;
  }

  private void check(Rule rule, long payloadBytes) {
    if (payloadBytes > largestPayload) {
      throw new SqlRefusedException(
          "the search of rule '"
              + rule.name()
              + "' returns a payload of "
              + payloadBytes
              + " bytes, but readpast.payload.max-size allows "
              + largestPayload
              + "; select fewer or shorter columns");
    }
  }

  /** Transfers the objects that were found in another database, one chunk at a time. */
  private final class Streaming {
    private final Rule rule;
    private final Run run;
    private final Consumer<Run> goOn;
    private long found;
    private long staged;

    Streaming(Rule rule, Run run, Consumer<Run> goOn) {
      this.rule = rule;
      this.run = run;
      this.goOn = goOn;
    }

    void keep(List<RuleRuns.Found> objects) {
      for (RuleRuns.Found object : objects) {
        check(rule, object.payload().getBytes(StandardCharsets.UTF_8).length);
        if (object.key().length() > LONGEST_KEY) {
          throw new SqlRefusedException(
              "the search of rule '"
                  + rule.name()
                  + "' returns a key of more than "
                  + LONGEST_KEY
                  + " characters; use a shorter key");
        }
      }
      found += objects.size();
      staged +=
          transactions.requiresNew(
              () -> {
                goOn.accept(run);
                int kept = runs.stage(run, staged, rule, objects);
                runs.note(run, null, found, found - staged - kept);
                return kept;
              });
    }

    void end() {
      transactions.requiresNew(
          () -> {
            goOn.accept(run);
            runs.note(run, staged, found, found - staged);
            return true;
          });
    }
  }
}
