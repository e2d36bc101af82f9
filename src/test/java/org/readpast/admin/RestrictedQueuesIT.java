package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.admin.store.AuditLog.Filter;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.admin.store.BatchGraph;
import org.readpast.admin.store.BatchView;
import org.readpast.admin.store.NodeView;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.admin.store.Rules;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.api.StateConflictException;
import org.readpast.database.Transactions;
import org.readpast.model.JobDependencies;
import org.readpast.model.JobSearch;
import org.readpast.model.NewJob;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueRoles;
import org.readpast.model.Role;
import org.readpast.model.SearchOrder;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.IgnoredSignals;
import org.readpast.support.RacingTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests that callers with roles in single queues neither see nor change anything in other queues.
 */
class RestrictedQueuesIT {
  private static final QueueRoles ROLES =
      new QueueRoles(
          Map.of(
              "payroll", Map.of(Role.VIEWER, Set.of("hr")),
              "mail", Map.of(Role.VIEWER, Set.of("reader"), Role.OPERATOR, Set.of("post"))));

  /** Marks everything that belongs to the queue payroll. */
  private static final String MARK = "Zaphod";

  private static final QueueAccess POST = ROLES.access(Set.of("post"));
  private static final Operator OPERATOR = new Operator();
  private static long hidden;
  private static long dead;
  private static long seen;
  private static long waiting;
  private static long later;

  @BeforeAll
  static void fill() {
    OPERATOR.database.execute(
        "insert into readpast_type (name, max_attempts) values ('readpast.rule', 5)");
    hidden = enqueue("payroll", "key-" + MARK, place("group-" + MARK, "batch-" + MARK, 1));
    dead = enqueue("payroll", null, JobDependencies.ALONE);
    later = enqueue("payroll", null, JobDependencies.ALONE);
    OPERATOR.database.execute(
        "update readpast_job set state = 'SCHEDULED', position = null,"
            + " available_at = now() + interval '1 hour' where id = "
            + later);
    seen = enqueue("mail", "key-post", place("group-post", "batch-post", 0));
    enqueue("mail", null, place(null, "batch-both", 1));
    enqueue("payroll", null, place(null, "batch-both", 0));
    waiting = OPERATOR.intake.enqueue(job("mail", null, after(hidden), "{}")).job().job().id();
    OPERATOR.batches.define(
        "callback-" + MARK,
        null,
        Map.of(BatchControl.Event.FINISH, job("payroll", null, JobDependencies.ALONE, "{}")));
    OPERATOR.batches.request(Action.HOLD, "batch-" + MARK);
    OPERATOR.control.cancel(dead);
    OPERATOR.queues.change("payroll", QueueAdmin.Change.paused(true));
    OPERATOR.queues.change("mail", QueueAdmin.Change.concurrency(3));
    OPERATOR.bulk.applyTo(new Bulk.Change(Bulk.Action.PRIORITIZE, 7), List.of(seen, hidden));
    OPERATOR.database.execute(
        """
        insert into readpast_node (no, id, name, version, lease_ms, queues, types, state) overriding system value
        values (901, gen_random_uuid(), 'node', '1', 10000, '{mail,payroll}', '{known}', 'ACTIVE');
        insert into readpast_listener (node, queue, receivers, received, completed, failed, dead, wake_ups, empty_receives, errors, enqueued)
        values (901, 'payroll', 1, 77, 77, 77, 77, 1, 1, 1, 77), (901, 'mail', 1, 2, 2, 2, 2, 1, 1, 1, 2);
        insert into readpast_minute (minute, queue, node, enqueued, completed, failed, dead, waits, runs)
        values (date_trunc('minute', clock_timestamp()), 'payroll', 901, 7700, 7700, 7700, 0, '{77}', '{77}');
        insert into readpast_second (second, queue, type, node, enqueued, completed, failed, waits, runs)
        values (date_trunc('second', clock_timestamp()) - interval '9 seconds', 'payroll', 'type-%3$s', 901, 77, 77, 77, '{77}', '{77}'),
          (date_trunc('second', clock_timestamp()) - interval '29 seconds', 'mail', 'type-post', 901, 2, 2, 2, '{2}', '{2}'),
          (date_trunc('second', clock_timestamp()) - interval '19 seconds', '', '', 901, 66, 66, 66, '{66}', '{66}');
        insert into readpast_depth (minute, queue, depth) values (date_trunc('minute', clock_timestamp()), 'payroll', 77);
        insert into readpast_failure (job_id, attempt, kind, exception, message) values (%1$d, 1, 'FAILED', 'E', '%3$s failed'), (%2$d, 1, 'FAILED', 'E', '%3$s failed');
        insert into readpast_hold (job_id, batch, wave) select %2$d, id, 0 from readpast_batch where name = 'batch-%3$s';
        insert into readpast_hold (job_id, queue, group_key) values (%1$d, 'payroll', 'group-%3$s');
        insert into readpast_sql_log (job_id, attempt, statement, datasource, error) values (%1$d, 1, 'statement-%3$s', 'd', '%3$s');
        insert into readpast_sql_log (job_id, attempt, statement, datasource) values (%4$d, 1, 'post', 'd');
        insert into readpast_rule (name, search, type, queue, priority, enabled, declared) values ('rule-%3$s', 'select 1', 'known', 'payroll', 4, true, false);
        insert into readpast_rule (name, search, type, queue, priority, enabled, declared) values ('rule-post', 'select 1', 'known', 'mail', 4, true, false);
        insert into readpast_schedule (name, kind, expression, zone, anchor, type, queue, priority, payload, catch_up, catch_up_cap, overlap, enabled, next_at)
        values ('schedule-%3$s', 'CRON', '0 2 * * *', 'UTC', now(), 'known', 'payroll', 4, '{"a":"%3$s"}', 'NONE', 1, 'ALLOW', true, now() + interval '1 day'),
          ('schedule-post', 'CRON', '0 2 * * *', 'UTC', now(), 'known', 'mail', 4, '{}', 'NONE', 1, 'ALLOW', true, now() + interval '1 day');
        insert into readpast_schedule_run (schedule, planned_at, job_id) values ('schedule-post', now(), %1$d)"""
            .formatted(hidden, dead, MARK, seen));
  }

  @AfterAll
  static void leave() {
    OPERATOR.close();
  }

  private static JobDependencies place(String group, String batch, int wave) {
    return new JobDependencies(
        group, GroupFailure.SKIP, batch, wave, null, List.of(), List.of(), PredecessorFailure.HOLD);
  }

  private static JobDependencies after(long job) {
    return new JobDependencies(
        null, GroupFailure.SKIP, null, 0, null, List.of(job), List.of(), PredecessorFailure.HOLD);
  }

  private static NewJob job(
      String queue, String key, JobDependencies dependencies, String payload) {
    return new NewJob(
        queue,
        "known",
        4,
        null,
        null,
        null,
        null,
        key,
        null,
        null,
        null,
        dependencies,
        payload,
        null);
  }

  private static long enqueue(String queue, String key, JobDependencies dependencies) {
    if (dependencies.batch() != null) {
      OPERATOR.batches.define(dependencies.batch(), null);
    }
    String about = queue.equals("payroll") ? MARK : "post";
    NewJob job = job(queue, key, dependencies, "{\"about\":\"" + about + "\"}");
    return OPERATOR.intake.enqueue(job).job().job().id();
  }

  /** Returns the results of all reads as strings, by name, so that they can be compared. */
  private static Map<String, Function<QueueAccess, Object>> reads() {
    var rules =
        new RuleControl(
            OPERATOR.transactions,
            new SqlAccess(
                new SqlAccess.Allowed(
                    List.of(), "jdbc/d", java.time.Duration.ofSeconds(9), false, Map.of()),
                name -> null),
            OPERATOR.intake,
            new org.readpast.support.IgnoredSignals(),
            OPERATOR.audit);
    var sql = new SqlWork(OPERATOR.transactions, null);
    var overview = new Overview(OPERATOR.transactions);
    Map<String, Function<QueueAccess, Object>> reads = new LinkedHashMap<>();
    reads.put(
        "jobs",
        a -> OPERATOR.browser.within(a).jobs(JobSearch.ANY, SearchOrder.NEWEST, null, 100).jobs());
    reads.put(
        "jobs of the batch",
        a ->
            OPERATOR
                .browser
                .within(a)
                .jobs(search("batch:batch-" + MARK), SearchOrder.NEWEST, null, 100)
                .jobs());
    reads.put("queues", a -> OPERATOR.browser.within(a).queues());
    reads.put("depths", a -> overview.within(a).queues());
    reads.put("listening", a -> OPERATOR.browser.within(a).listening());
    reads.put("nodes", a -> OPERATOR.browser.within(a).nodes(true));
    reads.put("overview", a -> overview.within(a).report());
    reads.put("types", a -> throughput(a).types());
    for (Throughput.By by : Throughput.By.values()) {
      reads.put("breakdown by " + by, a -> throughput(a).breakdown(Throughput.Span.PT5M, by, null));
    }
    reads.put("facets", a -> OPERATOR.browser.within(a).facets(JobSearch.ANY));
    reads.put("pulse", a -> overview.within(a).pulse());
    reads.put("batches", a -> OPERATOR.batches.within(a).page("", 100));
    reads.put("schedules", a -> OPERATOR.schedules.within(a).all());
    reads.put("rules", a -> rules.within(a).all().stream().map(Rules.Stored::rule).toList());
    reads.put("statements", a -> sql.within(a).log(null, null, 100));
    reads.put("audit", a -> OPERATOR.audit.within(a).page(Filter.ALL, null, 100));
    return reads;
  }

  private static JobSearch search(String text) {
    return JobSearch.parse(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"post", "reader", "readpast-viewer", "readpast-operator"})
  void reads_never_reveal_a_hidden_queue_or_its_content(String role) {
    QueueAccess caller = ROLES.access(Set.of(role));
    reads()
        .forEach(
            (name, read) -> {
              assertThat(String.valueOf(read.apply(QueueAccess.EVERYTHING)))
                  .as("%s, read by an administrator", name)
                  .containsAnyOf(MARK, "payroll");
              assertThat(String.valueOf(read.apply(caller)))
                  .as("%s, read by %s", name, role)
                  .doesNotContain(MARK, "payroll");
            });
  }

  @Test
  void content_of_a_visible_queue_is_shown() {
    reads()
        .forEach(
            (name, read) -> {
              if (!name.equals("jobs of the batch")) {
                assertThat(String.valueOf(read.apply(POST))).as(name).containsAnyOf("post", "mail");
              }
            });
  }

  @Test
  void counts_cover_visible_queues_only() {
    Browser mine = OPERATOR.browser.within(POST);
    assertThat(mine.totals().get(JobState.CANCELLED).count()).isZero();
    assertThat(mine.counts(JobSearch.ANY).get(JobState.CANCELLED).jobs()).isZero();
    assertThat(OPERATOR.browser.totals().get(JobState.CANCELLED).count()).isEqualTo(1);
    var found = mine.jobs(search("batch:batch-" + MARK), SearchOrder.NEWEST, null, 10);
    assertThat(found.searched()).isZero();
    assertThat(found.next()).isNull();
    assertThat(mine.jobs(search("" + hidden), SearchOrder.NEWEST, null, 10).searched()).isZero();
    var overview = new Overview(OPERATOR.transactions).within(POST);
    var report = overview.report();
    assertThat(minutes(POST).completed()).containsOnly(0);
    assertThat(Arrays.stream(minutes(QueueAccess.EVERYTHING).completed()).max().getAsDouble())
        .isGreaterThan(100);
    assertThat(seconds(POST).completed()).containsOnly(0, 2);
    assertThat(seconds(QueueAccess.EVERYTHING).completed()).contains(2, 66, 77);
    assertThat(parts(QueueAccess.EVERYTHING)).containsExactly("payroll 154", "mail 4", "null 132");
    assertThat(parts(POST)).containsExactly("mail 4");
    assertThat(report.taken().ran().p99()).isZero();
    assertThat(report.attention())
        .extracting(Overview.Notice::kind)
        .doesNotContain(
            Overview.Kind.HELD_BATCHES, Overview.Kind.HELD_GROUPS, Overview.Kind.HELD_WAVES);
    assertThat(overview.pulse().completed()).isEqualTo(2);
  }

  @Test
  void pulse_of_a_caller_with_roles_in_single_queues_contains_no_nodes() {
    var overview = new Overview(OPERATOR.transactions);
    var before = overview.within(POST).pulse();
    var ofEverything = overview.pulse();
    OPERATOR.database.execute("update readpast_node set receivers = receivers + 1");
    assertThat(overview.pulse()).isNotEqualTo(ofEverything);
    assertThat(overview.within(ROLES.access(Set.of("readpast-viewer"))).pulse().nodes())
        .isEqualTo(overview.pulse().nodes());
    assertThat(overview.within(POST).pulse()).isEqualTo(before);
    assertThat(before.nodes()).isNull();
  }

  private static Throughput throughput(QueueAccess caller) {
    return new Throughput(OPERATOR.transactions).within(caller);
  }

  private static Throughput.Series minutes(QueueAccess caller) {
    return throughput(caller).series(Throughput.Span.PT1H, null, null, null);
  }

  /** Returns the number of ended attempts of the last five minutes, by queue. */
  private static List<String> parts(QueueAccess caller) {
    return throughput(caller)
        .breakdown(Throughput.Span.PT5M, Throughput.By.QUEUE, null)
        .parts()
        .stream()
        .map(part -> part.name() + " " + Math.round(Arrays.stream(part.ended()).sum()))
        .toList();
  }

  private static Throughput.Series seconds(QueueAccess caller) {
    return throughput(caller).series(Throughput.Span.PT5M, null, null, null);
  }

  @Test
  void hidden_objects_get_the_same_error_as_absent_objects() {
    for (Function<Long, ThrowingCallable> ask :
        List.<Function<Long, ThrowingCallable>>of(
            id -> () -> OPERATOR.browser.within(POST).job(id),
            id -> () -> OPERATOR.browser.within(POST).summary(id),
            id -> () -> OPERATOR.control.within(POST).cancel(id),
            id -> () -> OPERATOR.control.within(POST).reset(id, true),
            id -> () -> OPERATOR.control.within(POST).runNow(id),
            id -> () -> OPERATOR.control.within(POST).changePriority(id, 9),
            id -> () -> OPERATOR.control.within(POST).delete(id),
            id -> () -> OPERATOR.intake.within(POST).enqueue(job("mail", null, after(id), "{}")))) {
      for (long job : List.of(hidden, dead)) {
        assertThat(String.valueOf(catchThrowable(ask.apply(job))))
            .isNotEqualTo("null")
            .isEqualTo(String.valueOf(catchThrowable(ask.apply(4711L))).replace("4711", "" + job));
      }
    }
    for (Function<String, ThrowingCallable> ask :
        List.<Function<String, ThrowingCallable>>of(
            name -> () -> OPERATOR.batches.within(POST).batch("batch-" + name),
            name -> () -> OPERATOR.batches.within(POST).graph("batch-" + name),
            name -> () -> OPERATOR.batches.within(POST).request(Action.CANCEL, "batch-" + name),
            name -> () -> OPERATOR.batches.within(POST).batch("callback-" + name),
            name -> () -> OPERATOR.schedules.within(POST).get("schedule-" + name),
            name -> () -> OPERATOR.schedules.within(POST).run("schedule-" + name),
            name -> () -> OPERATOR.schedules.within(POST).runs("schedule-" + name, null, 9))) {
      assertThat(String.valueOf(catchThrowable(ask.apply(MARK))))
          .isNotEqualTo("null")
          .isEqualTo(String.valueOf(catchThrowable(ask.apply("nobody"))).replace("nobody", MARK));
    }
    assertThatThrownBy(
            () -> OPERATOR.queues.within(POST).change("payroll", QueueAdmin.Change.paused(false)))
        .isInstanceOf(NotFoundException.class)
        .hasMessageEndingWith("known queues: mail");
  }

  @Test
  void hidden_queue_cannot_be_changed() {
    String all =
        "select string_agg(j::text, ',' order by id) from readpast_job j where queue = 'payroll'";
    String before = OPERATOR.value(all);
    assertThat(
            OPERATOR
                .bulk
                .within(POST)
                .applyTo(new Bulk.Change(Bulk.Action.PRIORITIZE, 1), List.of(hidden))
                .changed())
        .isZero();
    OPERATOR
        .bulk
        .within(POST)
        .applyToMatching(new Bulk.Change(Bulk.Action.PRIORITIZE, 2), JobSearch.ANY, null);
    OPERATOR.bulk.within(POST).applyTo(new Bulk.Change(Bulk.Action.RUN, null), List.of(later));
    OPERATOR
        .bulk
        .within(POST)
        .applyToMatching(new Bulk.Change(Bulk.Action.RUN, null), JobSearch.ANY, null);
    OPERATOR.bulk.within(POST).applyTo(new Bulk.Change(Bulk.Action.CANCEL, null), List.of(hidden));
    OPERATOR.bulk.within(POST).applyTo(new Bulk.Change(Bulk.Action.DELETE, null), List.of(dead));
    // Even operators of the queue cannot erase its jobs.
    OPERATOR.bulk.within(POST).applyTo(new Bulk.Change(Bulk.Action.ERASE, null), List.of(dead));
    OPERATOR.bulk.within(POST).applyTo(new Bulk.Change(Bulk.Action.RESET, null), List.of(dead));
    assertThat(
            OPERATOR
                .bulk
                .within(POST)
                .applyToMatching(
                    new Bulk.Change(Bulk.Action.RESET, null), JobSearch.parse("type:known"), null)
                .changed())
        .isZero();
    assertThat(OPERATOR.value(all)).isEqualTo(before);
    assertThat(
            OPERATOR.value(
                "select payload ->> 'about' from readpast_job_history where id = " + dead))
        .isEqualTo(MARK);
    assertThat(OPERATOR.value("select priority from readpast_job where id = " + seen))
        .isEqualTo("2");
  }

  @Test
  void change_without_the_role_is_refused() {
    QueueAccess reader = ROLES.access(Set.of("reader"));
    for (ThrowingCallable change :
        List.<ThrowingCallable>of(
            () -> OPERATOR.control.within(reader).cancel(seen),
            () -> OPERATOR.queues.within(reader).change("mail", QueueAdmin.Change.paused(true)),
            () -> OPERATOR.batches.within(reader).request(Action.HOLD, "batch-post"),
            () -> OPERATOR.batches.within(reader).skipGroup("mail", "group-post"),
            () -> OPERATOR.schedules.within(reader).run("schedule-post"),
            () -> OPERATOR.purge.within(POST).purge("mail"),
            () -> OPERATOR.purge.within(POST).purge("payroll"),
            () -> OPERATOR.batches.within(POST).limitGroup("payroll", "g", 2),
            () -> OPERATOR.batches.within(POST).define("batch-" + MARK, null, Map.of()),
            () -> OPERATOR.intake.within(POST).enqueue(Operator.job("payroll", null)),
            () -> OPERATOR.intake.within(POST).enqueue(Operator.job("q", null)),
            () ->
                OPERATOR
                    .intake
                    .within(POST)
                    .enqueue(job("mail", null, place(null, "batch-" + MARK, 0), "{}")),
            () ->
                OPERATOR
                    .intake
                    .within(POST)
                    .enqueue(
                        new NewJob(
                            "mail",
                            "readpast.rule",
                            4,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            "{\"rule\":\"rule-" + MARK + "\"}")))) {
      assertThatThrownBy(change).isInstanceOf(AccessDeniedException.class);
    }
  }

  @Test
  void hidden_job_with_a_unique_key_is_not_revealed() {
    NewJob rival = job("mail", "key-" + MARK, JobDependencies.ALONE, "{}");
    assertThatThrownBy(() -> OPERATOR.intake.within(POST).enqueue(rival))
        .isInstanceOf(StateConflictException.class)
        .hasMessageNotContaining("payroll")
        .hasMessageNotContaining("job " + hidden);
    assertThat(
            OPERATOR
                .intake
                .within(POST)
                .enqueue(job("mail", "key-post", JobDependencies.ALONE, "{}"))
                .isNew())
        .isFalse();
  }

  /**
   * A rule uses such keys to find out which objects are queued, so another job with the same key
   * would suppress the rule's job.
   */
  @Test
  void operator_of_one_queue_cannot_use_the_key_of_a_rule() {
    for (String key : List.of("rule:payroll:4711", "readpast.rule:payroll")) {
      NewJob squatter = job("mail", key, JobDependencies.ALONE, "{}");
      assertThatThrownBy(() -> OPERATOR.intake.within(POST).enqueue(squatter))
          .isInstanceOf(JobRejectedException.class)
          .hasMessageContaining("begins like the keys of rules");
    }
  }

  @Test
  void reasons_and_predecessors_do_not_mention_hidden_jobs() {
    var details = OPERATOR.browser.within(POST).job(waiting);
    assertThat(details.predecessors()).isEmpty();
    assertThat(String.join(" ", details.reasons()))
        .contains("waits for a job in a queue that your roles do not cover")
        .doesNotContain("" + hidden);
    assertThat(OPERATOR.browser.job(waiting).predecessors()).hasSize(1);
  }

  @Test
  void graph_of_a_batch_does_not_name_hidden_predecessors_and_followers() {
    long first = enqueue("mail", null, place(null, "batch-graph", 0));
    long second = inGraph("mail", List.of(first, hidden));
    long third = inGraph("mail", List.of(hidden));
    enqueueAfter("payroll", third);

    assertThat(graph(OPERATOR.batches))
        .isEqualTo(
            Map.of(
                first, List.of(),
                second, sorted(first, hidden),
                third, List.of(hidden)));
    assertThat(graph(OPERATOR.batches.within(POST)))
        .isEqualTo(Map.of(first, List.of(), second, List.of(first)));
  }

  private static List<Long> sorted(Long... ids) {
    return Stream.of(ids).sorted().toList();
  }

  private static Map<Long, List<Long>> graph(BatchControl of) {
    return of.graph("batch-graph").jobs().stream()
        .collect(Collectors.toMap(BatchGraph.Node::id, BatchGraph.Node::after));
  }

  private static long inGraph(String queue, List<Long> after) {
    var dependencies =
        new JobDependencies(
            null,
            GroupFailure.SKIP,
            "batch-graph",
            0,
            null,
            after,
            List.of(),
            PredecessorFailure.HOLD);
    return OPERATOR.intake.enqueue(job(queue, null, dependencies, "{}")).job().job().id();
  }

  private static void enqueueAfter(String queue, long job) {
    OPERATOR.intake.enqueue(job(queue, null, after(job), "{}"));
  }

  @Test
  void batch_whose_hidden_jobs_were_deleted_stays_hidden() throws Exception {
    Database database = TestDatabase.withTables();
    try (TestNode node =
        new TestNode(database)
            .keepsOfQueue("payroll", JobState.COMPLETED, Duration.ZERO)
            .handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
            .start()) {
      for (String queue : List.of("payroll", "mail")) {
        node.enqueue(
            new NewJob(
                queue,
                "t",
                4,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                place(null, "batch-mixed", 0),
                "{}",
                null));
      }
      node.enqueue(TestNode.job("t", place(null, "batch-mine", 0)));
      Await.until(
          Duration.ofSeconds(20),
          "all jobs have ended",
          () -> TestDatabase.count(database, "select count(*) from readpast_job") == 0);
      assertThat(
              TestDatabase.count(
                  database, "select count(*) from readpast_job_history where queue = 'payroll'"))
          .isZero();
      database.execute("delete from readpast_job_history where queue = 'q'");
      BatchControl batches =
          new BatchControl(node.transactions(), new IgnoredSignals(), job -> job, node.audit());

      assertThat(batches.page("", 10)).hasSize(2);
      QueueAccess of =
          new QueueRoles(
                  Map.of(
                      "payroll",
                      Map.of(),
                      "mail",
                      Map.of(Role.VIEWER, Set.of("mine")),
                      "q",
                      Map.of(Role.VIEWER, Set.of("mine"))))
              .access(Set.of("mine"));
      assertThat(batches.within(of).page("", 10))
          .extracting(BatchView::name)
          .containsExactly("batch-mine");
    }
  }

  @Test
  void node_that_serves_hidden_queues_is_not_shown_as_serving_all() {
    OPERATOR.database.execute(
        """
        insert into readpast_node (no, id, name, version, lease_ms, queues, types, state) overriding system value
        values (902, gen_random_uuid(), 'of-hidden', '1', 10000, '{payroll}', '{known}', 'ACTIVE'),
          (903, gen_random_uuid(), 'of-all', '1', 10000, '{}', '{known}', 'ACTIVE')""");

    assertThat(OPERATOR.browser.within(POST).nodes(true))
        .extracting(NodeView::name, NodeView::queues)
        .containsExactlyInAnyOrder(
            tuple("of-hidden", List.of()), tuple("of-all", null), tuple("node", List.of("mail")));
  }

  /** The sizes of tables depend on the jobs of all queues. */
  @Test
  void table_sizes_are_hidden_from_callers_of_single_queues() {
    About about = new About(OPERATOR.transactions, "1", queues -> List.of());
    assertThat(about.within(POST).database().relations()).isEmpty();
    assertThat(about.within(ROLES.access(Set.of("readpast-viewer"))).database().relations())
        .isNotEmpty();
  }

  @Test
  void schedule_moved_to_a_hidden_queue_during_the_call_does_not_run() {
    OPERATOR.database.execute(
        """
        insert into readpast_schedule (name, kind, expression, zone, anchor, type, queue, priority, payload, catch_up, catch_up_cap, overlap, enabled, next_at)
        values ('moving', 'CRON', '0 2 * * *', 'UTC', now(), 'known', 'mail', 4, '{}', 'NONE', 1, 'ALLOW', true, now() + interval '1 day')""");
    Transactions racing =
        RacingTransactions.before(
            2,
            OPERATOR.transactions,
            () ->
                OPERATOR.database.execute(
                    "update readpast_schedule set queue = 'payroll' where name = 'moving'"));
    ScheduleControl schedules =
        new ScheduleControl(
                racing, OPERATOR.enqueuer, new IgnoredSignals(), schedule -> {}, OPERATOR.audit)
            .within(POST);

    assertThatThrownBy(() -> schedules.run("moving")).isInstanceOf(NotFoundException.class);
    OPERATOR.database.execute("delete from readpast_schedule where name = 'moving'");
  }

  @Test
  void run_of_a_schedule_moved_from_a_hidden_queue_does_not_reveal_its_job() {
    assertThat(OPERATOR.schedules.runs("schedule-post", null, 9))
        .singleElement()
        .satisfies(run -> assertThat(String.valueOf(run)).contains(MARK));
    assertThat(OPERATOR.schedules.lastRuns(9).get("schedule-post"))
        .singleElement()
        .satisfies(run -> assertThat(run.state()).isNotNull());
    assertThat(OPERATOR.schedules.within(POST).lastRuns(9).get("schedule-post"))
        .singleElement()
        .satisfies(run -> assertThat(run.state()).isNull());
    assertThat(OPERATOR.schedules.within(POST).runs("schedule-post", null, 9))
        .singleElement()
        .satisfies(run -> assertThat(run.state()).isNull())
        .satisfies(run -> assertThat(String.valueOf(run)).doesNotContain(MARK));
  }

  @Test
  void latest_runs_of_a_schedule_of_a_hidden_queue_are_hidden() {
    String schedule = "schedule-" + MARK;
    OPERATOR.database.execute(
        "insert into readpast_schedule_run (schedule, planned_at) values ('%s', now())"
            .formatted(schedule));
    assertThat(OPERATOR.schedules.lastRuns(9)).containsOnlyKeys(schedule, "schedule-post");
    assertThat(OPERATOR.schedules.within(POST).lastRuns(9)).containsOnlyKeys("schedule-post");
    OPERATOR.database.execute(
        "delete from readpast_schedule_run where schedule = '%s'".formatted(schedule));
  }

  @Test
  void caller_with_roles_for_single_queues_does_not_see_types_of_other_queues() {
    NewJob unknown =
        new NewJob("mail", "none", 4, null, null, null, null, null, null, null, null, "{}");
    assertThatThrownBy(() -> OPERATOR.intake.within(POST).enqueue(unknown))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageNotContaining("known");
  }
}
