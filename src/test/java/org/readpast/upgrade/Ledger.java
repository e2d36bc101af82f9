package org.readpast.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.readpast.support.Await;
import org.readpast.support.CodeBlock;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Stores the promised and completed jobs in the database of the jobs. */
public final class Ledger {
  /**
   * Is true for promises that the node "second" has made in its own forms, and for the jobs that
   * wait for them.
   */
  public static final String ONLY_FOR_THE_SECOND =
      """
      p.producer = 'second' and (p.kind in ('mail', 'parcel', 'invoice') or cardinality(p.follows) > 0)
        or p.line = 'mixed'""";

  private final Database database;

  /** Creates the tables of the ledger. */
  public Ledger(Database database) {
    this.database = database;
    database.execute(
        """
        create sequence promise;
        create table promised (
          n bigint primary key, kind text not null, producer text not null, attempts int not null, line text,
          follows bigint[] not null, at timestamptz not null default clock_timestamp());
        create table worked (
          n bigint, kind text not null, job bigint not null, node text not null, planned timestamptz,
          at timestamptz not null default clock_timestamp(), until timestamptz);
        create index on worked (n)""");
  }

  public long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  public List<String> column(String sql) {
    return TestDatabase.column(database, sql);
  }

  /** Returns the time of the database as a literal for SQL statements. */
  public String now() {
    return "timestamptz '" + TestDatabase.value(database, "select clock_timestamp()") + "'";
  }

  /** Waits until all promised jobs have run. */
  public void awaitAllWorked(Duration limit) {
    awaitLeft(limit, "false");
  }

  /** Waits until all remaining promises {@code p} match the condition. */
  public void awaitLeft(Duration limit, String condition) {
    Await.until(
        limit,
        Duration.ofMillis(200),
        "the end of all but " + condition,
        () -> {
          assertNothingDead();
          List<String> left = unworked("not (" + condition + ")");
          if (!left.isEmpty()) {
            throw new IllegalStateException("not worked yet: " + left);
          }
          return true;
        });
  }

  private List<String> unworked(String condition) {
    return column(
        """
        select concat_ws(' ', n, kind, line) from promised p
        where not exists (select 1 from worked w join readpast_job_history h on h.id = w.job where w.n = p.n)
          and %s order by n limit 20"""
            .formatted(condition));
  }

  /** Checks that every ended job has succeeded. */
  public void assertNothingDead() {
    assertThat(
            column(
                """
                select concat_ws(' ', h.id, h.type, h.state, f.exception, f.message)
                from readpast_job_history h left join readpast_failure f on f.job_id = h.id
                where h.state <> 'COMPLETED' limit 20"""))
        .as("jobs that did not succeed")
        .isEmpty();
  }

  /**
   * Checks that each job has succeeded, has run exactly once, and had no more attempts than it
   * needs.
   */
  public void assertEachWorkedOnce() {
    assertNothingDead();
    assertThat(
            column(
                """
                select concat_ws(' ', p.n, p.kind, 'worked', count(w.n)) from promised p left join worked w on w.n = p.n
                group by p.n having count(w.n) <> 1"""))
        .as("jobs lost or worked twice")
        .isEmpty();
    assertThat(
            column(
                "select n from worked where n is not null and n not in (select n from promised)"))
        .as("jobs of transactions that were rolled back")
        .isEmpty();
    assertThat(
            column(
                """
                select concat_ws(' ', h.id, h.type, 'attempt', h.attempt, 'uncounted', h.uncounted)
                from readpast_job_history h join worked w on w.job = h.id join promised p on p.n = w.n
                where h.attempt - h.uncounted > p.attempts"""))
        .as("counted attempts")
        .isEmpty();
    assertThat(
            count(
                """
                select count(*) from readpast_job_history h
                where not exists (select 1 from worked w where w.job = h.id)"""))
        .as("jobs without a promise")
        .isZero();
  }

  /** Checks that no owner was lost, and that no attempt failed unexpectedly. */
  public void assertNothingCharged() {
    assertThat(
            column(
                """
                select concat_ws(' ', h.id, h.type, 'attempt', h.attempt, 'uncounted', h.uncounted, 'crashes', h.crashes)
                from readpast_job_history h join worked w on w.job = h.id join promised p on p.n = w.n
                where h.attempt <> p.attempts or h.uncounted <> 0 or h.crashes <> 0"""))
        .as("attempts counted against jobs")
        .isEmpty();
    assertThat(
            column(
                """
                select concat_ws(' ', kind, count(*)) from readpast_failure
                where kind not in ('UNREADABLE', 'FAILED') group by kind"""))
        .as("failures of other kinds, such as lost owners")
        .isEmpty();
    assertThat(
            count(
                "select count(*) from readpast_failure f join readpast_job_history h on h.id = f.job_id where f.kind = 'FAILED'"))
        .as("expected failures")
        .isEqualTo(count("select count(*) from promised where attempts = 2"));
  }

  /**
   * Checks that the order of groups, chains, waves and callbacks was kept, regardless of which
   * versions ran the jobs.
   */
  public void assertOrdered() {
    assertThat(
            column(
                """
                select concat_ws(' ', p.n, 'before', f) from promised p cross join unnest(p.follows) f
                join worked later on later.n = p.n join worked earlier on earlier.n = f
                join readpast_job_history h on h.id = earlier.job where later.at < h.ended_at"""))
        .as("jobs that began before their predecessors")
        .isEmpty();
    assertThat(
            column(
                """
                select concat_ws(' ', line, n) from (
                  select p.line, p.n, w.at, lag(h.ended_at) over (partition by p.line order by w.at) as before
                  from promised p join worked w on w.n = p.n join readpast_job_history h on h.id = w.job
                  where p.line is not null) g where at < before"""))
        .as("jobs of one group that ran at the same time")
        .isEmpty();
    assertThat(
            column(
                """
                select concat_ws(' ', line, producer, n) from (
                  select p.line, p.producer, p.n, lag(p.n) over (partition by p.line, p.producer order by w.at) as before
                  from promised p join worked w on w.n = p.n where p.line is not null) g where n < before"""))
        .as("jobs of one group that overtook others")
        .isEmpty();
  }

  /** Checks that the job of each planned run of each schedule has run once. */
  public void assertEachMomentWorkedOnce() {
    assertThat(
            column(
                """
                select concat_ws(' ', kind, planned, count(*)) from worked where planned is not null
                group by kind, planned having count(*) <> 1"""))
        .as("planned times worked twice")
        .isEmpty();
    assertThat(
            column(
                """
                select concat_ws(' ', schedule, planned_at) from readpast_schedule_run r
                where job_id is not null and not exists (
                  select 1 from worked w where w.kind = r.schedule and w.planned = r.planned_at)
                  and not exists (select 1 from readpast_job j where j.id = r.job_id)"""))
        .as("lost planned times")
        .isEmpty();
  }

  /** Checks that no job of a node was counted as lost with its owner. */
  public void assertNothingChargedBy(String node) {
    assertThat(
            column(
                """
                select concat_ws(' ', f.job_id, f.kind) from readpast_failure f join readpast_node n on n.no = f.node
                where n.name = '%s' and f.kind not in ('UNREADABLE', 'FAILED')"""
                    .formatted(node)))
        .as("attempts counted against jobs of " + node)
        .isEmpty();
  }

  /**
   * Checks that no run of a schedule was planned after the given time; a run that was already due
   * is allowed.
   */
  public void assertNotPlanned(String schedule, String after) {
    assertThat(
            count(
                """
                select count(*) from readpast_schedule_run
                where schedule = '%s' and planned_at > %s + interval '1 second'"""
                    .formatted(schedule, after)))
        .as("runs of %s, which no live node declares", schedule)
        .isZero();
  }

  /** Checks that jobs wait if no live node can read them, and that no attempt is counted. */
  public void assertLeftUntouched() {
    assertThat(
            column(
                """
                select distinct concat_ws(' ', type, attempt) from readpast_job
                where type in ('upgrade.mail@2', 'upgrade.shipment')
                  or state = 'SCHEDULED' and type = 'upgrade.invoice'"""))
        .as("jobs that only the second version can read, with their attempts")
        .contains("upgrade.mail@2 0")
        .allMatch(line -> line.endsWith(" 0"));
    assertThat(column(CodeBlock.sql(Path.of("docs/upgrading.md"), "Roll back").get(0)))
        .as("types that no running node claims")
        .contains("upgrade.mail@2")
        // A run may have been due just before the last node that handles its job stopped. The type
        // of its job is the name of the schedule, or the default name of the method on a server.
        .allMatch(
            type ->
                type.equals("upgrade.mail@2")
                    || type.equals("upgrade.shipment")
                    || type.equals("tick.second")
                    || type.endsWith(".SecondHandlers.tick"));
  }

  /**
   * Returns the maximum number of jobs in the limited queue that ran concurrently since the given
   * time.
   */
  public long mostLimitedAtOnce(String since) {
    return count(
        """
        select coalesce(max(others), 0) from (
          select (select count(*) from worked o
                  where o.kind = 'limited' and o.at <= w.at and o.until > w.at) as others
          from worked w where w.kind = 'limited' and w.at > %s) x"""
            .formatted(since));
  }

  /**
   * Returns the number of jobs whose kind matches by LIKE and that nodes with this name have run.
   */
  public long workedBy(String node, String kind) {
    return count(
        "select count(*) from worked where node = '" + node + "' and kind like '" + kind + "'");
  }
}
