package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.admin.store.RuleRuns;
import org.readpast.admin.store.Searches;
import org.readpast.admin.store.StatementWatch;
import org.readpast.api.JobResult;
import org.readpast.api.NotFoundException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.StateConflictException;
import org.readpast.engine.Signals;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.Encryption;
import org.readpast.model.InvalidScheduleException;
import org.readpast.model.Rule;
import org.readpast.model.SqlRefusedException;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.IgnoredSignals;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestKeys;
import org.readpast.support.TestNode;

class RuleFillIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String HERE = "jdbc/queue";
  private static final String ELSEWHERE = "jdbc/elsewhere";
  // The number of objects requires several chunks of each kind, the last of which is not full.
  private static final int MANY = 10_501;
  private static final int FEW = 300;

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final List<TestNode> nodes = new ArrayList<>();
  private RuleControl control;

  @BeforeEach
  void makeThings() {
    database.execute("create table thing (id bigint primary key, name text, done boolean)");
    database.execute("insert into readpast_type (name, max_attempts) values ('archive', 5)");
    control = control(transactions, HERE, ELSEWHERE);
    things(1, FEW);
  }

  @AfterEach
  void stop() {
    nodes.forEach(TestNode::close);
    transactions.close();
  }

  private void things(int from, int to) {
    database.execute(
        "insert into thing select i, 'thing ' || i, false from generate_series(%d, %d) i"
            .formatted(from, to));
  }

  /** Signals that are passed to all nodes as soon as nodes exist. */
  private final Signals signals =
      new Signals() {
        private void each(java.util.function.Consumer<Signals> step) {
          nodes.forEach(node -> step.accept(node.engine().signals()));
        }

        @Override
        public void queueChanged(String queue) {
          each(node -> node.queueChanged(queue));
        }

        @Override
        public void orderChanged() {
          each(Signals::orderChanged);
        }

        @Override
        public void schedulesChanged() {
          each(Signals::schedulesChanged);
        }

        @Override
        public void jobsAvailable(Collection<String> queues) {
          each(node -> node.jobsAvailable(queues));
        }
      };

  private RuleControl control(LocalTransactions on, String... allowed) {
    return new RuleControl(
        on,
        access(allowed),
        new JobIntake(on, this::enqueue, type -> type),
        signals,
        new Audit(on, () -> "tester"));
  }

  private List<org.readpast.api.Enqueued> enqueue(List<org.readpast.model.NewJob> jobs) {
    return nodes.get(0).engine().enqueuer().enqueue(jobs);
  }

  private SqlAccess access(String... allowed) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(database.url());
    source.setUser(database.user());
    source.setPassword(database.password());
    return new SqlAccess(
        new SqlAccess.Allowed(List.of(allowed), HERE, Duration.ofSeconds(2), false, Map.of()),
        name -> source);
  }

  private TestNode node() {
    return node(queues -> {}, ReceiveMode.TRANSACTIONAL);
  }

  /** Returns a node that runs rules, and handles jobs only of the types "worked" and "computed". */
  private TestNode node(java.util.function.Consumer<Collection<String>> filled, ReceiveMode mode) {
    TestNode node = new TestNode(database).lease(Duration.ofSeconds(2));
    Signals signals =
        new IgnoredSignals() {
          @Override
          public void queueChanged(String queue) {
            node.engine().signals().queueChanged(queue);
          }

          @Override
          public void orderChanged() {
            node.engine().signals().orderChanged();
          }

          @Override
          public void jobsAvailable(Collection<String> queues) {
            filled.accept(queues);
            node.engine().signals().jobsAvailable(queues);
          }
        };
    RuleFill fill =
        new RuleFill(
            node.transactions(),
            access(HERE, ELSEWHERE),
            signals,
            type -> node.engine().storedType(type),
            1_000_000);
    node.handles(
        RuleControl.JOB_TYPE,
        ReceiveMode.LEASED,
        (payload, context) -> fill.fill(payload.replaceAll(".*:\"|\"}", ""), context));
    for (String type : new String[] {"worked", "computed"}) {
      node.handles(
          type,
          mode,
          (payload, context) -> {
            note(node, type, payload);
            return JobResult.done();
          });
    }
    nodes.add(node);
    return node.start();
  }

  private static void note(TestNode node, String type, String payload) {
    node.transactions()
        .required(
            () ->
                node.transactions()
                    .entityManager()
                    .createNativeQuery("insert into effect (type, payload) values (?1, ?2)")
                    .setParameter(1, type)
                    .setParameter(2, payload)
                    .executeUpdate());
  }

  private static Rule rule(String search, String dataSource, String type, String computation) {
    return new Rule("things", search, dataSource, type, "archive-q", 4, computation, null, true);
  }

  private static Rule rule(String search, String dataSource) {
    return rule(search, dataSource, "archive", null);
  }

  private static Rule things(String dataSource) {
    return rule(
        "select id as \"thingId\", name from thing where not done order by id desc", dataSource);
  }

  private RuleRuns.Report fill() {
    return fill("COMPLETED");
  }

  private RuleRuns.Report fill(String state) {
    long job = control.run("things").job().job().id();
    awaitEnd(job);
    RuleRuns.Report report = control.latest("things");
    assertThat(report.job()).isEqualTo(job);
    assertThat(report.state()).as(report.error()).isEqualTo(state);
    return report;
  }

  private void awaitEnd(long job) {
    Await.until(
        SOON,
        "end of job " + job,
        () -> count("select count(*) from readpast_job_history where id = " + job) == 1);
  }

  private long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  private static void assertReport(RuleRuns.Report report, long found, long added, long skipped) {
    assertThat(List.of(report.found(), report.added(), report.skipped()))
        .as("found, new, skipped")
        .containsExactly(found, added, skipped);
  }

  private void assertEachThingQueuedOnce(long things) {
    assertThat(count("select count(*) from readpast_job where queue = 'archive-q'"))
        .isEqualTo(things);
    assertThat(
            count(
                "select count(distinct payload->>'thingId') from readpast_job where queue = 'archive-q'"))
        .isEqualTo(things);
    assertThat(count("select count(*) from readpast_rule_found")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {HERE, ELSEWHERE})
  void each_object_becomes_one_complete_job_in_search_order(String dataSource) {
    things(FEW + 1, MANY);
    node();
    control.put(things(dataSource));
    assertReport(fill(), MANY, MANY, 0);
    assertEachThingQueuedOnce(MANY);
    assertThat(
            TestDatabase.value(
                database,
                """
                select concat_ws(' ', queue, type, state, priority, attempt, claim_no, unique_key, payload)
                from readpast_job where queue = 'archive-q' order by position limit 1"""))
        .isEqualTo(
            "archive-q archive AVAILABLE 4 0 0 rule:things:10501"
                + " {\"thingId\":10501,\"name\":\"thing 10501\"}");
    assertThat(
            count(
                """
                select count(*) from (
                  select cast(payload->>'thingId' as bigint) as thing,
                    lag(cast(payload->>'thingId' as bigint)) over (order by position) as before
                  from readpast_job where queue = 'archive-q') j
                where thing <> before - 1"""))
        .isZero();
    assertThat(count("select count(*) from readpast_queue where name = 'archive-q'")).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {HERE, ELSEWHERE})
  void objects_with_a_live_job_are_skipped_and_counted(String dataSource) {
    node();
    control.put(things(dataSource));
    fill();
    things(FEW + 1, FEW + 500);
    assertReport(fill(), FEW + 500, 500, FEW);
    assertReport(fill(), FEW + 500, 0, FEW + 500);
    assertEachThingQueuedOnce(FEW + 500);

    database.execute(
        "delete from readpast_job where unique_key in ('rule:things:7', 'rule:things:8')");
    database.execute("update thing set done = true where id = 8");
    assertReport(fill(), FEW + 499, 1, FEW + 498);
  }

  @Test
  void large_objects_of_another_database_are_passed_on_a_few_at_a_time() {
    database.execute("update thing set name = repeat('x', 900000) where id <= 12");
    List<Long> found = new ArrayList<>();
    new Searches(transactions, SOON)
        .elsewhere(
            access(ELSEWHERE).source(ELSEWHERE).dataSource(),
            rule("select id, name from thing order by id", ELSEWHERE),
            "id",
            2_000,
            StatementWatch.NONE,
            objects -> {
              assertThat(objects.stream().mapToLong(object -> object.payload().length()).sum())
                  .isLessThanOrEqualTo(4L << 20);
              objects.forEach(object -> found.add(Long.valueOf(object.key())));
            });
    assertThat(found).hasSize(FEW).isSorted();
  }

  @Test
  void object_whose_job_ends_during_the_search_is_not_queued_again() {
    node();
    control.put(things(null));
    fill();
    control.put(
        rule(
            "select id as \"thingId\" from thing, (select pg_sleep(1.2) offset 0) s where not done",
            null));
    long job = control.run("things").job().job().id();
    Await.until(
        SOON,
        () ->
            count(
                    "select count(*) from pg_stat_activity where query like '%pg_sleep(1.2)%'"
                        + " and state = 'active' and pid <> pg_backend_pid()")
                == 1);
    database.execute(
        "with ended as (delete from readpast_job where unique_key = 'rule:things:7')"
            + " update thing set done = true where id = 7");
    awaitEnd(job);
    assertReport(control.latest("things"), FEW, 0, FEW);
    assertEachThingQueuedOnce(FEW - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {HERE, ELSEWHERE})
  void jobs_of_a_fill_are_encrypted(String dataSource) {
    database.execute("create table effect (type text, payload text)");
    node().transactions().encryptWith(TestKeys.encryption("k1"));
    String search = "select id as \"thingId\", name from thing order by id";
    control.put(rule(search, dataSource, "worked", null));
    assertReport(fill(), FEW, FEW, 0);
    Await.until(SOON, () -> count("select count(*) from effect") == FEW);
    assertThat(count("select count(distinct payload) from effect where payload like '%thing %'"))
        .isEqualTo(FEW);
    assertThat(
            count(
                "select count(*) from readpast_job_history"
                    + " where starts_with(cast(payload as text), '{\"readpast:encrypted\":\"k1:')"))
        .isEqualTo(FEW + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {HERE, ELSEWHERE})
  void encrypted_objects_become_jobs_in_transactions_of_limited_size(String dataSource) {
    AtomicInteger chunks = new AtomicInteger();
    node(queues -> chunks.incrementAndGet(), ReceiveMode.TRANSACTIONAL)
        .transactions()
        .encryptWith(TestKeys.readable());
    control.put(
        rule(
            "select id as \"thingId\", repeat('x', 130000) as x from thing where id <= 40",
            dataSource));
    assertReport(fill(), 40, 40, 0);
    assertThat(chunks.get()).isBetween(2, 3);
  }

  @Test
  void objects_that_another_node_has_encrypted_become_readable_jobs() throws Exception {
    CountDownLatch thawed = new CountDownLatch(1);
    long job = abandonedRun(1_200, ELSEWHERE, TestKeys.encryption("k1"), thawed);
    long encrypted = count("select count(*) from readpast_job where queue = 'archive-q'");
    node().transactions().encryptWith(TestKeys.decryption("k1"));
    awaitEnd(job);
    thawed.countDown();

    assertReport(control.latest("things"), 1_200, 1_200, 0);
    assertThat(
            count(
                "select count(distinct payload->>'thingId') from readpast_job where queue = 'archive-q'"))
        .isEqualTo(1_200 - encrypted);
  }

  @Test
  void run_waits_for_a_node_that_can_decrypt_its_objects() throws Exception {
    CountDownLatch thawed = new CountDownLatch(1);
    long job = abandonedRun(1_200, ELSEWHERE, TestKeys.encryption("k1"), thawed);
    TestNode without = node();
    Await.until(
        SOON,
        "its attempt",
        () ->
            count("select count(*) from readpast_rule_run where error like '%with key ''k1''%'")
                == 1);
    without.engine().stop();
    node().transactions().encryptWith(TestKeys.encryption("k1"));
    awaitEnd(job);
    thawed.countDown();

    assertReport(control.latest("things"), 1_200, 1_200, 0);
    assertThat(
            TestDatabase.column(
                database, "select distinct kind from readpast_failure where job_id = " + job))
        .contains("UNREADABLE")
        .doesNotContain("FAILED");
  }

  @Test
  void objects_of_a_discarded_run_are_deleted_and_found_again_after_a_reset() throws Exception {
    CountDownLatch thawed = new CountDownLatch(1);
    long job = abandonedRun(MANY, HERE, Encryption.NONE, thawed);
    long before = count("select count(*) from readpast_job where queue = 'archive-q'");
    database.execute("delete from readpast_type where name = 'archive'");
    TestNode next = node();
    awaitEnd(job);
    thawed.countDown();

    next.retention().run();

    assertThat(count("select count(*) from readpast_rule_found")).isZero();
    database.execute("insert into readpast_type (name, max_attempts) values ('archive', 5)");
    new JobControl(transactions, signals, new Audit(transactions, () -> "tester"))
        .reset(job, false);
    awaitEnd(job);
    assertReport(control.latest("things"), MANY, MANY - before, before);
    assertEachThingQueuedOnce(MANY);
  }

  /** Starts a node that dies when it announces its first jobs, and then waits. */
  private TestNode dyingNode(CountDownLatch frozen, CountDownLatch thawed) throws Exception {
    List<TestNode> freezing = new ArrayList<>();
    freezing.add(
        node(
            queues -> {
              freezing.get(0).die();
              frozen.countDown();
              awaitQuietly(thawed);
            },
            ReceiveMode.TRANSACTIONAL));
    return freezing.get(0);
  }

  /**
   * Starts a run on a node that dies after the first chunk of jobs, and returns the job of the run.
   */
  private long abandonedRun(
      int things, String dataSource, Encryption encryption, CountDownLatch thawed)
      throws Exception {
    things(FEW + 1, things);
    CountDownLatch frozen = new CountDownLatch(1);
    dyingNode(frozen, thawed).transactions().encryptWith(encryption);
    control.put(things(dataSource));
    Enqueues enqueues = new Enqueues(transactions);
    long job =
        transactions.requiresNew(
            () -> {
              enqueues.createQueue(RuleControl.QUEUE);
              return enqueues.insert(List.of(fillJob())).get(0).id();
            });
    assertThat(frozen.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    assertThat(count("select count(*) from readpast_job where queue = 'archive-q'"))
        .isBetween(1L, things - 1L);
    return job;
  }

  @Test
  void duplicate_search_result_is_queued_once() {
    node();
    control.put(rule("select id % 100 as \"thingId\" from thing", null));
    assertReport(fill(), FEW, 100, FEW - 100);
    assertEachThingQueuedOnce(100);
  }

  @Test
  void concurrent_fills_of_one_rule_queue_each_object_once() {
    things(FEW + 1, MANY);
    node();
    node();
    control.put(things(HERE));
    for (int i = 0; i < 3; i++) {
      nodes.get(i % 2).enqueue(fillJob());
    }
    Await.until(
        SOON, () -> count("select count(*) from readpast_rule_run where state = 'COMPLETED'") == 3);
    assertThat(count("select sum(added) from readpast_rule_run")).isEqualTo(MANY);
    assertThat(count("select sum(skipped) from readpast_rule_run")).isEqualTo(2 * MANY);
    assertThat(
            count(
                """
                select count(*) from readpast_rule_run a join readpast_rule_run b on b.id > a.id
                where b.started_at < a.ended_at"""))
        .as("overlapping runs")
        .isZero();
    assertEachThingQueuedOnce(MANY);
  }

  private static org.readpast.model.NewJob fillJob() {
    return new org.readpast.model.NewJob(
        "readpast",
        RuleControl.JOB_TYPE,
        4,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        "{\"rule\":\"things\"}");
  }

  @Test
  void fill_of_a_frozen_node_is_finished_by_another_and_fenced() throws Exception {
    things(FEW + 1, MANY);
    AtomicBoolean first = new AtomicBoolean(true);
    CountDownLatch frozen = new CountDownLatch(1);
    CountDownLatch thawed = new CountDownLatch(1);
    List<TestNode> freezing = new ArrayList<>();
    TestNode one =
        node(
            queues -> {
              if (first.getAndSet(false)) {
                freezing.get(0).die();
                frozen.countDown();
                awaitQuietly(thawed);
              }
            },
            ReceiveMode.TRANSACTIONAL);
    freezing.add(one);
    control.put(things(HERE));
    long job = control.run("things").job().job().id();
    assertThat(frozen.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    assertThat(count("select count(*) from readpast_job where queue = 'archive-q'"))
        .isBetween(1L, MANY - 1L);

    node();
    awaitEnd(job);
    thawed.countDown();
    Await.until(SOON, one::threadsEnded);
    assertReport(control.latest("things"), MANY, MANY, 0);
    assertThat(control.latest("things").state()).isEqualTo("COMPLETED");
    assertEachThingQueuedOnce(MANY);
  }

  @Test
  void abandoned_fill_restarts_if_its_rule_has_changed() throws Exception {
    things(FEW + 1, MANY);
    CountDownLatch frozen = new CountDownLatch(1);
    CountDownLatch thawed = new CountDownLatch(1);
    dyingNode(frozen, thawed);
    control.put(things(HERE));
    long job = control.run("things").job().job().id();
    assertThat(frozen.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    long before = count("select count(*) from readpast_job where queue = 'archive-q'");
    assertThat(before).isBetween(1L, MANY - 200L);

    control.put(rule("select id as \"thingId\", 'new' as made from thing where id <= 100", HERE));
    node();
    awaitEnd(job);
    thawed.countDown();

    assertReport(control.latest("things"), 100, 100, 0);
    assertThat(count("select count(*) from readpast_job where payload->>'made' = 'new'"))
        .isEqualTo(100);
    assertEachThingQueuedOnce(before + 100);
  }

  @Test
  void rule_with_an_invalid_search_can_be_disabled() {
    node();
    control.put(things(HERE));
    database.execute("drop table thing");
    Rule rule = things(HERE);
    assertThatThrownBy(() -> control.put(rule)).isInstanceOf(SqlRefusedException.class);
    control.put(with(rule, null, false));
    assertThat(control.get("things").rule().enabled()).isFalse();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void results_of_a_failed_search_are_cleared_by_the_next() {
    things(FEW + 1, MANY);
    node();
    control.put(rule("select id as \"thingId\", 1 / (10000 - id) as x from thing", ELSEWHERE));
    RuleRuns.Report broken = fill("FAILED");
    assertThat(broken.error()).contains("division by zero");
    assertThat(broken.found()).as("read chunk by chunk").isBetween(2_000L, 10_000L);
    // Until retention or the next search deletes them.
    assertThat(count("select count(*) from readpast_rule_found")).isIn(0L, broken.found());
    assertThat(count("select count(*) from readpast_job where queue = 'archive-q'")).isZero();

    control.put(things(ELSEWHERE));
    assertReport(fill(), MANY, MANY, 0);
    assertEachThingQueuedOnce(MANY);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void computation_runs_first_and_holds_the_object_until_it_is_archived(ReceiveMode mode) {
    database.execute(
        "create table effect (id bigint generated always as identity, type text, payload text)");
    node(queues -> {}, mode);
    control.put(rule("select id as \"thingId\" from thing", null, "worked", "computed"));
    assertReport(fill(), 300, 300, 0);
    Await.until(
        SOON, () -> count("select count(*) from readpast_job where queue = 'archive-q'") == 0);
    assertThat(
            TestDatabase.column(
                database,
                """
                select types || ' ' || count(*) from (
                  select payload, string_agg(type, ',' order by id) as types from effect group by payload) e
                group by types"""))
        .containsExactly("computed,worked 300");
    assertThat(
            count(
                "select count(*) from readpast_job_history where unique_key = 'rule:things:7' and state = 'COMPLETED'"))
        .isEqualTo(2);
  }

  @Test
  void invalid_search_is_refused_when_it_is_defined() {
    node();
    List<String> searches =
        List.of(
            "selec",
            "select id from nowhere",
            "select nosuch.f() as id",
            "select " + "1 + ".repeat(30_000) + "1 as id",
            "select id, 1 from thing",
            "select id, id from thing",
            "delete from thing returning id",
            "with gone as (delete from thing returning id) select id from gone",
            "select id from thing for update",
            "select 1 as id) x; delete from thing; --",
            "select 1 as id; delete from thing",
            "select :id as id");
    for (String search : searches) {
      for (String dataSource : new String[] {HERE, ELSEWHERE}) {
        assertThatThrownBy(() -> control.put(rule(search, dataSource)))
            .as(search)
            .isInstanceOf(SqlRefusedException.class);
      }
    }
    assertThat(control.all()).isEmpty();
    assertThat(count("select count(*) from thing")).isEqualTo(FEW);
  }

  @Test
  void forbidden_data_source_is_refused() {
    node();
    assertThatThrownBy(() -> control(transactions).put(things(null)))
        .isInstanceOf(SqlRefusedException.class)
        .hasMessageContaining("readpast.sql.datasources");
    assertThatThrownBy(() -> control.put(things("java:comp/env/jdbc/other")))
        .isInstanceOf(SqlRefusedException.class)
        .hasMessageContaining("jdbc/elsewhere");
    control.put(things(ELSEWHERE));
    assertThatThrownBy(() -> control(transactions, HERE).run("things"))
        .isInstanceOf(SqlRefusedException.class);
  }

  @Test
  void search_that_breaks_a_rule_at_run_time_fails_without_changes() {
    database.execute(
        """
        create function write_thing(bigint) returns bigint language plpgsql as $$
        begin
          delete from thing;
          return $1;
        end $$""");
    node();
    List<String> searches =
        List.of(
            "select write_thing(id) as id from thing",
            "select nextval('readpast_job_id') as id",
            "select set_config('transaction_read_only', 'off', true) as id, write_thing(1) as x",
            "select cast(null as text) as id",
            "select repeat('x', 186) as id",
            "select 1 as id, repeat('x', 1000000) as x");
    for (String search : searches) {
      for (String dataSource : new String[] {HERE, ELSEWHERE}) {
        control.put(rule(search, dataSource));
        assertThat(fill("FAILED").error()).as(search).contains("rule 'things'");
      }
    }
    assertThat(count("select count(*) from readpast_failure"))
        .as("attempts")
        .isEqualTo(2 * searches.size());
    assertThat(count("select count(*) from thing")).isEqualTo(FEW);
    assertThat(count("select count(*) from readpast_job where queue = 'archive-q'")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {HERE, ELSEWHERE})
  void slow_search_is_ended_by_its_timeout(String dataSource) {
    node();
    control.put(rule("select id, cast(pg_sleep(60) as text) as x from thing", dataSource));
    nodes.get(0).enqueue(fillJob());
    Await.until(
        SOON,
        () ->
            count(
                    "select count(*) from readpast_rule_run where state = 'FAILED' and error like '%57014%'")
                == 1);
  }

  @Test
  void cancelled_fill_stops_its_search() {
    node();
    control.put(rule("select id, cast(pg_sleep(1.9) as text) as x from thing where id < 2", null));
    control.run("things");
    String searching =
        "select count(*) from pg_stat_activity where state = 'active' and query like '%pg_sleep(1.9)%'"
            + " and pid <> pg_backend_pid()";
    Await.until(SOON, () -> count(searching) == 1);
    long job = count("select max(id) from readpast_job");
    new JobControl(transactions, signals, new Audit(transactions, () -> "tester")).cancel(job);
    awaitEnd(job);
    assertThat(
            TestDatabase.value(
                database, "select state from readpast_job_history where id = " + job))
        .isEqualTo("CANCELLED");
    assertThat(count(searching)).isZero();
  }

  @Test
  void disabled_rule_is_not_filled() {
    node();
    Rule rule = things(null);
    control.put(
        new Rule(
            rule.name(), rule.search(), null, rule.type(), rule.queue(), 4, null, null, false));
    assertThatThrownBy(() -> control.run("things")).isInstanceOf(StateConflictException.class);
    long job = nodes.get(0).enqueue(fillJob()).get(0).id();
    awaitEnd(job);
    assertThat(control.runs("things", 10)).isEmpty();
  }

  @Test
  void rule_change_is_audited_with_the_previous_values() {
    node();
    Rule rule = things(null);
    control.put(rule);
    control.put(
        new Rule(
            rule.name(), "select 1 as id", null, rule.type(), rule.queue(), 7, null, null, false));
    control.delete("things");
    assertThat(
            TestDatabase.column(
                database, "select action || ' ' || detail from readpast_audit order by id"))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith(
                        "rule.define {\"new\":true,\"search\":{\"from\":null,\"to\":\"select id"),
            second ->
                assertThat(second)
                    .startsWith("rule.define {\"new\":false,\"search\":{\"from\":\"select id")
                    .endsWith(
                        "\"to\":\"select 1 as id\"},\"priority\":{\"from\":4,\"to\":7},"
                            + "\"enabled\":{\"from\":true,\"to\":false}}"),
            third ->
                assertThat(third)
                    .startsWith("rule.delete {\"search\":{\"from\":\"select 1 as id\",\"to\":null}")
                    .contains("\"priority\":{\"from\":7,\"to\":null}"));
  }

  @Test
  void deletion_of_a_rule_keeps_only_its_jobs() {
    node();
    control.put(things(null));
    fill();
    control.delete("things");
    assertThatThrownBy(() -> control.get("things")).isInstanceOf(NotFoundException.class);
    assertThat(count("select count(*) from readpast_rule_run")).isZero();
    assertEachThingQueuedOnce(FEW);
  }

  @Test
  void rule_change_keeps_concurrent_changes_of_other_fields() {
    node();
    RuleControl control = control(transactions, HERE);
    control.put(things(null));
    control.change(
        "things",
        rule -> {
          // Another caller changes the rule while its search is being prepared.
          control.put(scheduled(rule, "PT1H"));
          return with(rule, rule.schedule(), false);
        });
    Rule now = control.get("things").rule();
    assertThat(now.schedule()).isEqualTo("PT1H");
    assertThat(now.enabled()).isFalse();

    assertThatThrownBy(
            () ->
                control.change(
                    "things",
                    rule -> {
                      control.delete("things");
                      return rule;
                    }))
        .isInstanceOf(NotFoundException.class);
    assertThat(control.all()).isEmpty();
  }

  @Test
  void rule_with_a_schedule_is_filled_by_the_schedule() {
    node();
    RuleControl control = control(transactions, HERE);
    Rule rule = things(null);
    control.put(scheduled(rule, "PT1S"));

    Await.until(Duration.ofSeconds(20), () -> !control.runs("things", 10).isEmpty());
    assertThat(TestDatabase.value(database, "select type from readpast_schedule"))
        .isEqualTo(RuleControl.JOB_TYPE);
    assertThatThrownBy(() -> scheduled(rule, "0 0 30 2 *"))
        .isInstanceOf(InvalidScheduleException.class);

    ScheduleControl schedules =
        new ScheduleControl(
            transactions, this::enqueue, signals, s -> {}, new Audit(transactions, () -> "tester"));
    assertThatThrownBy(() -> schedules.delete("rule.things"))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("rule 'things'");
    control.put(rule);
    assertThat(TestDatabase.count(database, "select count(*) from readpast_schedule")).isZero();
  }

  private static Rule scheduled(Rule rule, String schedule) {
    return with(rule, schedule, rule.enabled());
  }

  private static Rule with(Rule rule, String schedule, boolean enabled) {
    return new Rule(
        rule.name(),
        rule.search(),
        rule.dataSource(),
        rule.type(),
        rule.queue(),
        rule.priority(),
        rule.computation(),
        schedule,
        enabled);
  }
}
