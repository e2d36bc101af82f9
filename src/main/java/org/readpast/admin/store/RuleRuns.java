package org.readpast.admin.store;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.RuleSql;
import org.readpast.api.Enqueued;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.NewJob;
import org.readpast.model.Rule;
import org.readpast.store.Enqueues;
import org.readpast.store.Row;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/**
 * The steps of filling a rule, each in the current transaction and each fenced by the attempt of
 * the job that fills: what an earlier attempt still does is refused.
 */
public final class RuleRuns {
  private static final int LONGEST_ERROR = 2_000;
  // Their payloads pass through this node.
  private static final int MOST_ENCRYPTED = 500;

  private final Transactions transactions;
  private final Enqueues enqueues;

  public RuleRuns(Transactions transactions) {
    this.transactions = transactions;
    this.enqueues = new Enqueues(transactions);
  }

  /**
   * A run in an attempt's hands.
   *
   * @param staged objects found that are to become jobs; null: the search is not through
   * @param moved the last of those that have
   */
  public record Run(long id, int attempt, @Nullable Long staged, long moved) {}

  /**
   * What came of a run so far.
   *
   * @param found objects that the search has given
   * @param added those that have become jobs
   * @param skipped those that a live job held
   */
  public record Report(
      long id,
      long job,
      String state,
      Instant startedAt,
      @Nullable Instant endedAt,
      long found,
      long added,
      long skipped,
      @Nullable String error) {}

  /** An object that a search has given. */
  public record Found(String key, String payload) {}

  /** Whether this job may fill the rule now: one at a time does, from search to end. */
  public boolean takeTurn(String rule, long job) {
    return Sql.first(transactions.entityManager(), RuleSql.takeTurn(), row -> true, rule, job)
        != null;
  }

  /**
   * Begins a run, or takes it up again; null when the job has completed it before.
   *
   * @param changedAt when the rule was last changed: what was found before is not gone on with
   */
  public @Nullable Run begin(String rule, long job, int attempt, Instant changedAt) {
    Run run =
        Sql.first(
            transactions.entityManager(),
            RuleSql.beginRun(),
            row -> new Run(row.number(0), attempt, row.numberOrNull(1), row.number(2)),
            rule,
            job,
            attempt,
            changedAt.atOffset(ZoneOffset.UTC));
    if (run != null) {
      Sql.change(transactions.entityManager(), RuleSql.unstageOthers(), rule, run.id());
    }
    return run;
  }

  /** Removes some of what runs left that are to search anew; gives how many. */
  public int clearLeft(String rule, int most) {
    return Sql.rows(transactions.entityManager(), RuleSql.clearUnstaged(), row -> true, rule, most)
        .size();
  }

  /** The run as it is now, locked; null when it is no longer this attempt's. */
  public @Nullable Run lock(Run run) {
    return Sql.first(
        transactions.entityManager(),
        RuleSql.lockRun(),
        row -> new Run(run.id(), run.attempt(), row.numberOrNull(0), row.number(1)),
        run.id(),
        run.attempt());
  }

  /** Keeps those of some objects, given in order, that no live job holds; gives how many. */
  public int stage(Run run, long lastPlace, Rule rule, List<Found> objects) {
    Encryption encryption = transactions.encryption();
    EncryptionContext found = EncryptionContext.found(run.id());
    return Sql.rows(
            transactions.entityManager(),
            RuleSql.stageGiven(),
            row -> true,
            run.id(),
            lastPlace,
            rule.keyPrefix(),
            objects.stream().map(Found::key).toArray(String[]::new),
            objects.stream()
                .map(object -> encryption.sealJson(found, object.payload()))
                .toArray(String[]::new))
        .size();
  }

  /** Notes what the search has given; staged null: it is not through. */
  public void note(Run run, @Nullable Long staged, long found, long skipped) {
    Sql.change(transactions.entityManager(), RuleSql.noteFound(), run.id(), staged, found, skipped);
  }

  /** Turns the next so many staged objects into jobs of a type, as it is stored. */
  public void move(Run run, Rule rule, String type, int most) {
    if (transactions.encryption().currentKey() != null) {
      moveEncrypted(run, rule, type, Math.min(most, MOST_ENCRYPTED));
      return;
    }
    Sql.change(
        transactions.entityManager(),
        RuleSql.move(),
        run.id(),
        run.moved(),
        (long) most,
        rule.queue(),
        type,
        rule.priority(),
        rule.keyPrefix(),
        rule.firstProperties());
  }

  private void moveEncrypted(Run run, Rule rule, String type, int most) {
    List<NewJob> jobs =
        Sql.rows(
            transactions.entityManager(),
            RuleSql.take(),
            row -> job(run, rule, type, row),
            run.id(),
            run.moved(),
            (long) most);
    long added = enqueues.insert(jobs).stream().filter(Enqueued::isNew).count();
    Sql.change(
        transactions.entityManager(),
        RuleSql.noteMoved(),
        run.id(),
        most,
        added,
        jobs.size() - added);
  }

  private NewJob job(Run run, Rule rule, String type, Row found) {
    return new NewJob(
        rule.queue(),
        type,
        rule.priority(),
        null,
        null,
        null,
        null,
        rule.keyPrefix() + found.text(0),
        null,
        rule.firstProperties(),
        null,
        transactions.encryption().openJson(EncryptionContext.found(run.id()), found.text(1)));
  }

  /** Ends a run well, and lets the next one begin. */
  public void complete(Run run, String rule, long job, int kept) {
    Sql.change(
        transactions.entityManager(), RuleSql.endRun(), run.id(), run.attempt(), "COMPLETED", null);
    Sql.change(transactions.entityManager(), RuleSql.endTurn(), rule, job);
    Sql.change(transactions.entityManager(), RuleSql.forgetRuns(), rule, kept);
  }

  /** Notes why an attempt failed; another one may take the run up again. */
  public void fail(Run run, String error) {
    String cut = error.replace('\0', '\uFFFD');
    Sql.change(
        transactions.entityManager(),
        RuleSql.endRun(),
        run.id(),
        run.attempt(),
        "FAILED",
        transactions
            .encryption()
            .sealText(
                EncryptionContext.found(run.id()),
                cut.length() <= LONGEST_ERROR ? cut : cut.substring(0, LONGEST_ERROR)));
  }

  /** The latest runs of a rule, newest first. */
  public List<Report> latest(String rule, int most) {
    return Sql.rows(
        transactions.entityManager(),
        RuleSql.runs(),
        row ->
            new Report(
                row.number(0),
                row.number(1),
                row.text(2),
                row.moment(3),
                row.momentOrNull(4),
                row.number(5),
                row.number(6),
                row.number(7),
                transactions
                    .encryption()
                    .shownText(EncryptionContext.found(row.number(0)), row.textOrNull(8))),
        rule,
        most);
  }
}
