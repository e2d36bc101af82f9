package org.readpast.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.ScheduleAdmin;
import org.readpast.admin.store.ScheduleView;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.Names;
import org.readpast.model.Owner;
import org.readpast.model.QueueScope;
import org.readpast.model.ScheduleDefinition;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests applications, modules and versions that share a database and declare their own schedules.
 */
class ScheduleDeclarationsIT {
  private static final Duration SOON = Duration.ofSeconds(25);
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Owner SHOP = new Owner("shop", "shop");
  private static final Owner WEB = new Owner("bank", "web");
  private static final Owner OFFICE = new Owner("bank", "back-office");

  private Database database;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void makeDatabase() {
    database = TestDatabase.withTables();
    database.execute("insert into readpast_queue (name) values ('default')");
  }

  @AfterEach
  void close() throws Exception {
    for (var one : open) {
      one.close();
    }
  }

  private TestNode start(Owner owner, String host, ScheduleDefinition... schedules) {
    TestNode node = node(owner, host, schedules);
    return node.start();
  }

  private TestNode node(Owner owner, String host, ScheduleDefinition... schedules) {
    TestNode node = new TestNode(database);
    open.add(node);
    return node.owned(owner, owner.name() + "@" + host).lease(LEASE).declares(schedules);
  }

  private static ScheduleDefinition every(String name, String interval) {
    return ScheduleDefinition.read(name, Map.of("type", "t", "every", interval));
  }

  private ScheduleView schedule(String name) {
    try (var transactions = new LocalTransactions(database)) {
      return transactions.requiresNew(
          () -> new ScheduleAdmin(transactions, QueueScope.ALL).find(name));
    }
  }

  private String interval(String name) {
    return schedule(name).definition().timing().expression();
  }

  private List<String> names() {
    return column(database, "select name from readpast_schedule order by name");
  }

  /** Makes a node notice immediately what it would otherwise notice only after up to 15 seconds. */
  private static void follow(TestNode node) {
    node.engine().signals().schedulesChanged();
  }

  private void minutesPass(int minutes) {
    database.execute(
        "update readpast_node set ended_at = ended_at - interval '%d minutes'".formatted(minutes));
  }

  @Test
  void modules_with_equal_methods_run_and_schedule_only_their_own_jobs() {
    List<String> worked = new CopyOnWriteArrayList<>();
    TestNode web = payroll(WEB, worked);
    TestNode office = payroll(OFFICE, worked);
    for (int i = 0; i < 5; i++) {
      web.enqueue(type(OFFICE));
      office.enqueue(type(WEB));
    }

    Await.until(
        SOON, "their jobs", () -> worked.stream().filter(w -> w.endsWith(" 0")).count() >= 10);
    Await.until(
        SOON,
        "a job of each schedule",
        () ->
            worked.contains(type(WEB) + " by bank~web 1")
                && worked.contains(type(OFFICE) + " by bank~back-office 1"));
    assertThat(worked)
        .allMatch(
            one ->
                one.startsWith(type(WEB) + " by bank~web ")
                    || one.startsWith(type(OFFICE) + " by bank~back-office "));
    assertThat(names())
        .containsExactly(
            "bank~back-office~org.readpast.schedule.ScheduleDeclarationsIT.nightly",
            "bank~web~org.readpast.schedule.ScheduleDeclarationsIT.nightly");
    assertThat(
            column(
                database,
                "select concat_ws(' ', application, module, name) from readpast_node order by 1"))
        .containsExactly("bank back-office bank~back-office@host", "bank web bank~web@host");
  }

  private static String type(Owner owner) {
    return owner.complete(Names.ofMethod(ScheduleDeclarationsIT.class, "nightly"));
  }

  private TestNode payroll(Owner owner, List<String> worked) {
    String type = type(owner);
    return node(owner, "host", ScheduleDefinition.read(type, Map.of("type", type, "every", "PT1S")))
        .handles(
            type,
            ReceiveMode.LEASED,
            (payload, context) -> {
              int scheduled = context.properties().containsKey(ScheduleFiring.SCHEDULE) ? 1 : 0;
              worked.add(context.type() + " by " + owner.name() + " " + scheduled);
              return JobResult.done();
            })
        .start();
  }

  @Test
  void schedule_dropped_by_a_new_version_on_another_host_stops_and_is_removed() {
    start(SHOP, "pod-1", every("kept", "PT1H"), every("dropped", "PT1S")).engine().stop();
    TestNode next = start(SHOP, "pod-2", every("kept", "PT1H"));
    database.execute("delete from readpast_schedule_run");
    follow(next);

    assertThat(schedule("dropped").fires()).isFalse();
    assertThat(schedule("kept").fires()).isTrue();
    minutesPass(9);
    start(new Owner("other", "other"), "pod-3");
    assertThat(names()).containsExactly("dropped", "kept");
    assertThat(count(database, "select count(*) from readpast_schedule_run")).isZero();

    minutesPass(2);
    follow(next);

    Await.until(SOON, "its removal", () -> names().equals(List.of("kept")));
  }

  @Test
  void schedules_of_a_stopped_application_wait_and_catch_up() {
    // The chosen time is five minutes after a planned time, because a run that is less than one
    // minute late does not count as missed.
    String anchor =
        Instant.now().truncatedTo(ChronoUnit.MILLIS).minus(Duration.ofMinutes(125)).toString();
    ScheduleDefinition none =
        ScheduleDefinition.read(
            "none", Map.of("type", "t", "every", "PT10M", "anchor", anchor, "catchUp", "NONE"));
    ScheduleDefinition once =
        ScheduleDefinition.read("once", Map.of("type", "t", "every", "PT10M", "anchor", anchor));
    start(SHOP, "host", none, once).engine().stop();
    TestNode other = start(new Owner("other", "other"), "host");
    minutesPass(60);
    database.execute("update readpast_schedule set next_at = next_at - interval '1 hour'");
    var duty = new ScheduleFiring(other.transactions(), new Enqueues(other.transactions())::insert);

    follow(other);
    assertThat(duty.fire(null)).as("until the next planned time").isNull();

    assertThat(count(database, "select count(*) from readpast_schedule_run")).isZero();
    assertThat(names()).containsExactly("none", "once");
    start(SHOP, "host", none, once);
    Await.until(
        SOON,
        "two decisions",
        () -> count(database, "select count(*) from readpast_schedule_run") >= 3);
    assertThat(
            column(
                database,
                "select concat_ws(' ', schedule, skipped, moments) from readpast_schedule_run order by 1"))
        .containsExactly("none MISSED 6", "once 1", "once MISSED 5");
  }

  @Test
  void restart_of_an_old_version_does_not_restore_its_timing() {
    start(SHOP, "old-1", every("s", "PT1H"));
    TestNode second = start(SHOP, "old-2", every("s", "PT1H"));
    start(SHOP, "new-1", every("s", "PT2H"));
    assertThat(interval("s")).isEqualTo("PT2H");
    second.engine().stop();

    TestNode restarted = start(SHOP, "old-2", every("s", "PT1H"));

    follow(restarted);
    assertThat(interval("s")).isEqualTo("PT2H");
    assertThat(schedule("s").fires()).isTrue();
    start(SHOP, "new-2", every("s", "PT2H"));
    assertThat(interval("s")).isEqualTo("PT2H");
  }

  @Test
  void restart_of_the_only_old_node_during_a_rollout_does_not_restore_its_timing() {
    TestNode old = start(SHOP, "old", every("s", "PT1H"));
    start(SHOP, "new", every("s", "PT2H"));
    old.engine().stop();
    minutesPass(30);

    start(SHOP, "old", every("s", "PT1H"));

    assertThat(interval("s")).isEqualTo("PT2H");
  }

  @Test
  void older_timing_applies_after_a_crash_of_the_last_node_of_the_newer_version() {
    start(SHOP, "old", every("s", "PT1H"));
    TestNode crashing = start(SHOP, "new", every("s", "PT2H"));
    assertThat(interval("s")).isEqualTo("PT2H");
    try (LogLines log = new LogLines(ScheduleDeclarations.class.getName())) {
      crashing.die();

      Await.until(
          SOON,
          "its death",
          () ->
              value(database, "select state from readpast_node where name like '%new'")
                  .equals("DEAD"));
      awaitBeforeTheNextCheck("PT1H");
      assertThat(schedule("s").fires()).isTrue();
      assertThat(log.from(Level.INFO))
          .anyMatch(line -> line.contains("apply again to schedules [s]"));
    }
  }

  @Test
  void planned_time_between_the_end_of_the_newest_node_and_the_old_timing_is_not_lost() {
    TestNode old = start(SHOP, "old", every("s", "PT1H"), every("off", "PT1H"));
    start(SHOP, "new", every("s", "PT100H"), every("off", "PT100H")).engine().stop();
    database.execute("update readpast_schedule set switched = false where name = 'off'");
    minutesPass(90);
    follow(old);

    Await.until(
        SOON,
        "a job of the planned time that passed",
        () -> count(database, "select count(*) from readpast_job where type = 't'") == 1);
    assertThat(column(database, "select distinct schedule from readpast_schedule_run"))
        .containsExactly("s");
  }

  /** Waits less than 15 seconds, because nodes check at their start, and every 15 seconds. */
  private void awaitBeforeTheNextCheck(String timing) {
    Await.until(Duration.ofSeconds(8), timing + " applies", () -> interval("s").equals(timing));
  }

  @Test
  void older_timing_applies_after_a_stop_of_the_last_node_of_the_newer_version() {
    node(SHOP, "old", every("s", "PT1H")).notifiesOtherNodes().start();
    TestNode newest = node(SHOP, "new", every("s", "PT2H")).notifiesOtherNodes().start();
    assertThat(interval("s")).isEqualTo("PT2H");

    newest.engine().stop();

    awaitBeforeTheNextCheck("PT1H");
  }

  @Test
  void node_that_was_declared_dead_declares_its_schedules_again() {
    start(SHOP, "host", every("s", "PT1H"));
    database.execute("update readpast_node set state = 'DEAD', ended_at = clock_timestamp()");

    Await.until(
        SOON, "its new identity", () -> count(database, "select count(*) from readpast_node") == 2);
    assertThat(schedule("s").fires()).isTrue();
  }

  @Test
  void name_declared_by_two_applications_is_logged_and_belongs_to_the_last_deployed() {
    TestNode shop = start(SHOP, "host", every("nightly", "PT1H"));
    try (LogLines log = new LogLines(ScheduleDeclarations.class.getName())) {
      TestNode bank = start(WEB, "host", every("nightly", "PT2H"));
      assertThat(log.from(Level.WARNING))
          .anyMatch(
              line ->
                  line.contains(
                      "READPAST-0055 schedule 'nightly' is also declared by application 'shop'"));
      assertThat(schedule("nightly").declaration().owner()).isEqualTo("bank~web");
      assertThat(interval("nightly")).isEqualTo("PT2H");

      bank.engine().stop();
      follow(shop);

      Await.until(SOON, "the other application's", () -> interval("nightly").equals("PT1H"));
      assertThat(schedule("nightly").declaration().owner()).isEqualTo("shop");
    }
  }

  @Test
  void declarations_do_not_accumulate_and_are_removed_with_their_nodes() {
    TestNode last = null;
    for (int i = 0; i < 3; i++) {
      last = start(SHOP, "pod-" + i, every("s", "PT1H"));
      last.engine().stop();
    }
    assertThat(count(database, "select count(*) from readpast_schedule_declaration")).isEqualTo(1);
    database.execute("delete from readpast_node");

    last.retention().run();

    assertThat(count(database, "select count(*) from readpast_schedule_declaration")).isZero();
  }
}
