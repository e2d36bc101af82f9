package org.readpast.admin.store;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.RuleSql;
import org.readpast.api.Enqueued;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.NewJob;
import org.readpast.model.Rule;

/**
 * Stores the steps of a rule's run, each in the current transaction. Each step is fenced by the
 * attempt of the job that runs the rule, so steps of earlier attempts are refused.
 */
public final class RuleRuns {
  private static final int LONGEST_ERROR = 2_000;
  private static final int MOST_TRANSFERRED = 500;

  private final Transactions transactions;
  private final Enqueues enqueues;

  public RuleRuns(Transactions transactions) {
    this.transactions = transactions;
    this.enqueues = new Enqueues(transactions);
  }

  /**
   * Describes a run of a rule during an attempt.
   *
   * @param staged the number of found objects that are to become jobs, or null if the search has
   *     not finished
   * @param moved the position of the last object that has become a job
   */
  public record Run(long id, int attempt, @Nullable Long staged, long moved) {}

  /**
   * Reports the result of a run.
   *
   * @param found the number of objects that the search has returned
   * @param added the number of objects that have become jobs
   * @param skipped the number of objects for which a live job existed
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

  /** Describes an object that a search has found. */
  public record Found(String key, String payload) {}

  /**
   * Returns true if this job may run the rule now. Only one job at a time may run a rule, from the
   * search to the end of the run.
   */
  public boolean takeTurn(String rule, long job) {
    return Sql.first(transactions.entityManager(), RuleSql.takeTurn(), row -> true, rule, job)
        != null;
  }

  /**
   * Begins or resumes a run; returns null if the job has already completed it.
   *
   * @param changedAt when the rule was last changed; objects found before that time are discarded
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

  /**
   * Deletes a number of objects that were left by runs that have to repeat their search, and
   * returns the number.
   */
  public int clearLeft(String rule, int most) {
    return Sql.rows(transactions.entityManager(), RuleSql.clearUnstaged(), row -> true, rule, most)
        .size();
  }

  /** Locks the run and returns it, or null if it no longer belongs to this attempt. */
  public @Nullable Run lock(Run run) {
    return Sql.first(
        transactions.entityManager(),
        RuleSql.lockRun(),
        row -> new Run(run.id(), run.attempt(), row.numberOrNull(0), row.number(1)),
        run.id(),
        run.attempt());
  }

  /**
   * Stores the objects for which no live job exists, in the given order, and returns the number of
   * stored objects.
   */
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

  /**
   * Records the counts of the objects that the search has returned; {@code staged} is null if the
   * search has not finished.
   */
  public void note(Run run, @Nullable Long staged, long found, long skipped) {
    Sql.change(transactions.entityManager(), RuleSql.noteFound(), run.id(), staged, found, skipped);
  }

  /**
   * Turns the next staged objects, up to a maximum number, into jobs of a type given in its stored
   * form.
   */
  public void move(Run run, Rule rule, String type, int most) {
    List<RowSize> transferred = transferred(run, most);
    if (!transferred.isEmpty()) {
      List<Long> piece = RowSize.pieces(transferred, MOST_TRANSFERRED).get(0);
      transfer(run, rule, type, piece.get(piece.size() - 1) - run.moved());
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

  /**
   * Returns the sizes of the next staged objects that are transferred to this node and back: all
   * objects if this node encrypts, otherwise those that another node has encrypted.
   */
  private List<RowSize> transferred(Run run, int most) {
    return Sql.rows(
        transactions.entityManager(),
        RuleSql.transferred(),
        row -> new RowSize(row.number(0), row.number(1)),
        run.id(),
        run.moved(),
        (long) most,
        transactions.encryption().currentKey() != null,
        Encryption.JSON_PREFIX,
        MOST_TRANSFERRED);
  }

  private void transfer(Run run, Rule rule, String type, long most) {
    List<NewJob> jobs =
        Sql.rows(
            transactions.entityManager(),
            RuleSql.take(),
            row -> job(run, rule, type, row),
            run.id(),
            run.moved(),
            most);
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

  /** Completes a run, so that the next run can begin. */
  public void complete(Run run, String rule, long job, int kept) {
    Sql.change(
        transactions.entityManager(), RuleSql.endRun(), run.id(), run.attempt(), "COMPLETED", null);
    Sql.change(transactions.entityManager(), RuleSql.endTurn(), rule, job);
    Sql.change(transactions.entityManager(), RuleSql.forgetRuns(), rule, kept);
  }

  /** Records why an attempt failed; another attempt may resume the run. */
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

  /** Returns the latest runs of a rule, newest first. */
  public List<Report> latest(String rule, int most) {
    return Sql.rows(
        transactions.entityManager(), RuleSql.runs(), this::report, new String[] {rule}, most);
  }

  /** Returns the latest run of each rule that has run, by the name of the rule. */
  public Map<String, Report> latest(Collection<String> rules) {
    Map<String, Report> latest = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        RuleSql.runs(),
        row -> latest.put(row.text(0), report(row)),
        rules.toArray(String[]::new),
        1);
    return latest;
  }

  private Report report(Row row) {
    return new Report(
        row.number(1),
        row.number(2),
        row.text(3),
        row.moment(4),
        row.momentOrNull(5),
        row.number(6),
        row.number(7),
        row.number(8),
        transactions
            .encryption()
            .shownText(EncryptionContext.found(row.number(1)), row.textOrNull(9)));
  }
}
