package org.readpast.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.Audit;
import org.readpast.admin.ScheduleControl;
import org.readpast.admin.store.LastRunView;
import org.readpast.admin.store.ScheduleRunView;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReceiveMode;
import org.readpast.api.StateConflictException;
import org.readpast.engine.Signals;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.Firing;
import org.readpast.model.ScheduleDefinition;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.IgnoredSignals;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

class SchedulesIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Instant NOON = Instant.parse("2027-06-01T12:00:00Z");

  private Database database;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void makeDatabase() {
    database = TestDatabase.withTables();
    database.execute("insert into readpast_queue (name) values ('default')");
    database.execute("insert into readpast_type (name, max_attempts) values ('t', 5)");
  }

  @AfterEach
  void close() throws Exception {
    for (var one : open) {
      one.close();
    }
  }

  /** Runs only the schedules of a node; the test controls the clock. */
  private ScheduleFiring duty() {
    var transactions = transactions();
    return new ScheduleFiring(transactions, new Enqueues(transactions)::insert);
  }

  private LocalTransactions transactions() {
    var transactions = new LocalTransactions(database);
    open.add(transactions);
    return transactions;
  }

  private TestNode node() {
    TestNode node = new TestNode(database);
    open.add(node);
    return node;
  }

  private static ScheduleDefinition schedule(String name, String... fields) {
    Map<String, String> all = new HashMap<>(Map.of("type", "t"));
    for (int i = 0; i < fields.length; i += 2) {
      all.put(fields[i], fields[i + 1]);
    }
    return ScheduleDefinition.read(name, all);
  }

  /** Defines a schedule whose planned times start after the given one. */
  private void define(Instant start, ScheduleDefinition schedule) {
    var transactions = transactions();
    transactions.requiresNew(
        () -> {
          new Schedules(transactions).define(schedule, true);
          return true;
        });
    database.execute(
        "update readpast_schedule set next_at = '%s' where name = '%s'"
            .formatted(schedule.timing().after(start), schedule.name()));
  }

  private ScheduleControl control() {
    var transactions = transactions();
    Signals nobody = new IgnoredSignals();
    return new ScheduleControl(
        transactions,
        new Enqueues(transactions)::insert,
        nobody,
        s -> {},
        new Audit(transactions, () -> "tester"));
  }

  private List<String> planned(String name) {
    return column(
        database,
        "select to_char(planned_at at time zone 'UTC', 'HH24:MI:SS') || coalesce(' ' || skipped || ' ' ||"
            + " moments, '') from readpast_schedule_run where schedule = '"
            + name
            + "' order by planned_at");
  }

  @Test
  void two_nodes_fire_each_day_of_a_year_once_across_both_clock_changes() {
    Instant start = Instant.parse("2027-01-01T00:00:00Z");
    Instant end = Instant.parse("2028-01-01T00:00:00Z");
    Map<String, String> zones = new HashMap<>();
    define(start, year(zones, "berlin", "daily", "02:30", "Europe/Berlin"));
    define(start, year(zones, "new-york", "daily", "02:30", "America/New_York"));
    define(start, year(zones, "london", "daily", "01:30", "Europe/London"));
    define(start, year(zones, "cron-berlin", "cron", "30 2 * * *", "Europe/Berlin"));
    define(start, year(zones, "cron-new-york", "cron", "15 1 * * *", "America/New_York"));
    var first = duty();
    var second = duty();
    var random = new Random(42);
    for (Instant now = start; now.isBefore(end); ) {
      Instant moment = now;
      var other = CompletableFuture.supplyAsync(() -> second.fire(moment));
      Duration wait = first.fire(moment);
      Duration otherWait = other.join();
      Duration longest = wait.compareTo(otherWait) > 0 ? wait : otherWait;
      if (longest.compareTo(Duration.ZERO) > 0) {
        now = now.plus(longest).plusMillis(random.nextInt(50_000));
      }
    }

    zones.forEach(
        (name, zone) ->
            assertThat(
                    value(
                        database,
                        """
                        select concat_ws(' ', count(*), count(distinct cast(planned_at at time zone '%s' as date)),
                          count(distinct job_id), count(skipped))
                        from readpast_schedule_run where schedule = '%s'"""
                            .formatted(zone, name)))
                .as(name + ": runs, dates, jobs, skipped")
                .isEqualTo("365 365 365 0"));
    assertThat(count(database, "select count(*) from readpast_job")).isEqualTo(5 * 365);
    assertThat(
            column(
                database,
                """
                select to_char(planned_at at time zone 'UTC', 'MM-DD HH24:MI') from readpast_schedule_run
                where schedule = 'berlin' and cast(planned_at as date) in
                  ('2027-03-27', '2027-03-28', '2027-03-29', '2027-10-31', '2027-11-01') order by 1"""))
        .containsExactly("03-27 01:30", "03-28 01:00", "03-29 00:30", "10-31 00:30", "11-01 01:30");
  }

  private static ScheduleDefinition year(
      Map<String, String> zones, String name, String kind, String when, String zone) {
    zones.put(name, zone);
    return schedule(name, kind, when, "zone", zone, "catchUp", "NONE");
  }

  @Test
  void two_nodes_create_one_job_for_every_second() {
    control().define(schedule("tick", "every", "PT1S"), true);
    for (int i = 0; i < 2; i++) {
      node().handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    }

    Await.until(
        SOON,
        "five runs",
        () ->
            count(
                    database,
                    "select count(*) from readpast_job_history where properties ->>"
                        + " 'readpast.schedule' = 'tick'")
                >= 5);

    assertThat(
            value(
                database,
                """
                select count(*) = extract(epoch from max(planned_at) - min(planned_at)) + 1
                  and count(*) = count(distinct planned_at) and count(*) = count(distinct job_id)
                from readpast_schedule_run"""))
        .as("one run and one job for each second between the first and the last")
        .isEqualTo("t");
  }

  @Test
  void each_schedule_catches_up_by_its_policy_after_a_time_without_nodes() {
    define(NOON, schedule("none", "every", "PT10M", "catchUp", "NONE"));
    define(NOON, schedule("once", "every", "PT10M", "catchUp", "ONCE"));
    define(NOON, schedule("all", "every", "PT10M", "catchUp", "ALL", "catchUpCap", "2"));

    Duration wait = duty().fire(NOON.plus(Duration.ofMinutes(45)));

    assertThat(wait).isEqualTo(Duration.ofMinutes(5));
    assertThat(planned("none")).containsExactly("12:40:00 MISSED 4");
    assertThat(planned("once")).containsExactly("12:30:00 MISSED 3", "12:40:00");
    assertThat(planned("all")).containsExactly("12:20:00 MISSED 2", "12:30:00", "12:40:00");
    assertThat(
            column(
                database,
                "select properties ->> 'readpast.schedule' || ' ' || (properties ->>"
                    + " 'readpast.planned-at') from readpast_job order by id"))
        .containsExactlyInAnyOrder(
            "once 2027-06-01T12:40:00Z", "all 2027-06-01T12:30:00Z", "all 2027-06-01T12:40:00Z");
  }

  @Test
  void schedule_without_overlap_creates_no_job_while_its_last_job_is_live() {
    define(NOON, schedule("alone", "every", "PT10M", "overlap", "SKIP"));
    define(NOON, schedule("beside", "every", "PT10M"));
    var duty = duty();
    duty.fire(NOON.plus(Duration.ofMinutes(10)));
    duty.fire(NOON.plus(Duration.ofMinutes(20)));
    assertThat(planned("beside")).containsExactly("12:10:00", "12:20:00");
    assertThat(planned("alone")).containsExactly("12:10:00", "12:20:00 OVERLAP 1");
    assertThatThrownBy(() -> control().run("alone"))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("still live");

    database.execute("delete from readpast_job");
    duty.fire(NOON.plus(Duration.ofMinutes(30)));

    assertThat(planned("alone")).contains("12:30:00");
  }

  @Test
  void late_job_expires_and_a_run_past_its_expiry_creates_none() {
    define(NOON, schedule("window", "every", "PT10M", "latestStart", "PT5M"));
    var duty = duty();
    duty.fire(NOON.plus(Duration.ofMinutes(10)));
    duty.fire(NOON.plus(Duration.ofMinutes(26)));

    assertThat(planned("window")).containsExactly("12:10:00", "12:20:00 TOO_LATE 1");
    assertThat(
            value(
                database,
                "select to_char(expires_at at time zone 'UTC', 'HH24:MI') from readpast_job"))
        .isEqualTo("12:15");
    database.execute("update readpast_job set expires_at = now() - interval '1 second'");
    node().start();
    Await.until(
        SOON, "expiry", () -> control().runs("window", null, 9).get(1).state() == JobState.EXPIRED);
  }

  @Test
  void disabled_schedule_does_not_fire_and_resumes_from_its_enabling() {
    var control = control();
    control.define(schedule("s", "every", "PT1H", "catchUp", "ALL"), true);
    control.switchTo("s", false);
    var duty = duty();
    assertThat(duty.fire(NOON.plus(Duration.ofDays(3_650)))).isNull();
    assertThat(planned("s")).isEmpty();
    database.execute("update readpast_schedule set next_at = now() - interval '1 day'");

    assertThat(control.switchTo("s", true).nextAt()).isAfter(Instant.now());
    duty.fire(null);

    assertThat(planned("s")).isEmpty();
  }

  @Test
  void operator_switches_and_missed_runs_survive_a_restart() {
    var declared = schedule("s", "every", "PT1H");
    var other = schedule("other", "every", "PT1H");
    start("app", declared, other).engine().stop();
    control().switchTo("s", false);
    database.execute("update readpast_schedule set next_at = next_at - interval '5 hours'");

    start("another-app");
    start("app", declared, other);

    assertThat(control().get("s").definition().enabled()).isFalse();
    Await.until(SOON, "the catch-up", () -> planned("other").size() == 2);
    assertThat(planned("other").get(0)).contains("MISSED");
    assertThat(planned("s")).isEmpty();
    assertThatThrownBy(() -> control().delete("s"))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("declared by application 'app'")
        .hasMessageContaining("disable it");
    assertThatThrownBy(() -> control().define(other, true))
        .isInstanceOf(StateConflictException.class);

    start("app", schedule("other", "every", "PT2H"));

    assertThat(control().get("other").nextAt()).as("with a new timing").isAfter(Instant.now());
  }

  private TestNode start(String application, ScheduleDefinition... schedules) {
    return node().named(application, application).declares(schedules).start();
  }

  @Test
  void manual_run_ignores_the_plan_and_appears_in_the_history() {
    var control = control();
    control.define(schedule("s", "daily", "02:30", "enabled", "false", "priority", "7"), true);

    ScheduleRunView run = control.run("s");

    assertThat(run.manual()).isTrue();
    assertThat(run.state()).isEqualTo(JobState.AVAILABLE);
    assertThat(value(database, "select id || ' ' || priority from readpast_job"))
        .isEqualTo(run.job() + " 7");
    node().handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    Await.until(
        SOON, "its end", () -> control.runs("s", null, 1).get(0).state() == JobState.COMPLETED);
    ScheduleRunView ended = control.runs("s", null, 1).get(0);
    assertThat(ended.startedAt()).isNotNull().isBeforeOrEqualTo(ended.endedAt());
    assertThat(ended.attempts()).isEqualTo(1);
  }

  @Test
  void latest_runs_of_all_schedules_are_listed_with_their_outcomes() {
    ScheduleControl control = control();
    control.define(schedule("a", "daily", "02:30"), true);
    control.define(schedule("b", "daily", "02:30"), true);
    control.define(schedule("c", "daily", "02:30"), true);
    database.execute(
        """
        insert into readpast_schedule_run (schedule, planned_at, job_id, skipped) values
          ('a', '2027-01-01T02:30:00Z', 999, null), ('a', '2027-01-02T02:30:00Z', null, 'OVERLAP'),
          ('b', '2027-01-01T02:30:00Z', null, 'MISSED'), ('b', '2027-01-02T02:30:00Z', null, 'MISSED')""");
    long job = Objects.requireNonNull(control.run("a").job());
    var runs = control.lastRuns(2);
    assertThat(runs).containsOnlyKeys("a", "b");
    assertThat(runs.get("a")).hasSize(2);
    assertThat(control.lastRuns(9).get("a"))
        .extracting(LastRunView::job)
        .containsExactlyInAnyOrder(job, null, 999L);
    assertThat(control.lastRuns(9).get("a"))
        .extracting(LastRunView::state)
        .containsExactlyInAnyOrder(JobState.AVAILABLE, null, null);
    assertThat(runs.get("b"))
        .extracting(LastRunView::plannedAt)
        .containsExactly(
            Instant.parse("2027-01-02T02:30:00Z"), Instant.parse("2027-01-01T02:30:00Z"));
    assertThat(runs.get("b")).extracting(LastRunView::skipped).containsOnly(Firing.Reason.MISSED);
  }

  @Test
  void schedule_that_this_version_cannot_read_does_not_stop_other_schedules() {
    define(NOON, schedule("strange", "every", "PT10M"));
    define(NOON, schedule("plain", "every", "PT10M"));
    database.execute(
        "update readpast_schedule set zone = 'Moon/Base', kind = 'CRON' where name = 'strange'");

    duty().fire(NOON.plus(Duration.ofMinutes(10)));

    assertThat(planned("plain")).containsExactly("12:10:00");
    assertThat(planned("strange")).isEmpty();
  }

  @Test
  void planned_time_has_one_job_even_if_the_clock_is_set_back() {
    define(NOON, schedule("s", "every", "PT10M"));
    var duty = duty();
    duty.fire(NOON.plus(Duration.ofMinutes(10)));
    database.execute("update readpast_schedule set next_at = '2027-06-01T12:10:00Z'");

    duty.fire(NOON.plus(Duration.ofMinutes(10)));

    assertThat(planned("s")).containsExactly("12:10:00");
    assertThat(count(database, "select count(*) from readpast_job")).isEqualTo(1);
  }

  @Test
  void unfinished_run_of_a_dead_node_is_repeated_and_recorded_as_repeated() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    TestNode mortal =
        node()
            .lease(Duration.ofSeconds(2))
            .handles(
                "t",
                ReceiveMode.LEASED,
                (payload, context) -> {
                  begun.countDown();
                  never.await(SOON.toSeconds(), TimeUnit.SECONDS);
                  return JobResult.done();
                })
            .start();
    var control = control();
    control.define(schedule("s", "daily", "02:30"), true);
    control.run("s");
    assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    mortal.die();
    node()
        .lease(Duration.ofSeconds(2))
        .handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .start();

    Await.until(
        Duration.ofSeconds(30),
        "its end on the other node",
        () -> control.runs("s", null, 1).get(0).state() == JobState.COMPLETED);
    never.countDown();

    ScheduleRunView run = control.runs("s", null, 1).get(0);
    assertThat(run.ownersLost()).isEqualTo(1);
    assertThat(run.attempts()).isEqualTo(2);
    assertThat(run.lastFailure().message()).contains("its node died");
  }

  @Test
  void old_runs_are_removed_except_the_latest_of_each_schedule() {
    control().define(schedule("s", "every", "PT1S"), true);
    database.execute("update readpast_schedule set next_at = now() + interval '1 day'");
    database.execute(
        "insert into readpast_schedule_run (schedule, planned_at) select 's', now() - make_interval(days => n)"
            + " from generate_series(1, 150) n");

    node().start();

    Await.until(
        SOON,
        "a hundred are left",
        () -> count(database, "select count(*) from readpast_schedule_run") == 100);
  }
}
