package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.stateOf;
import static org.readpast.support.TestNode.job;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.Browser;
import org.readpast.admin.Overview;
import org.readpast.admin.Overview.Kind;
import org.readpast.admin.Overview.Notice;
import org.readpast.admin.Reasons;
import org.readpast.api.Backoff;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests several versions of an application on one database. */
class VersionsIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final RetryPolicy ONCE =
      new RetryPolicy(1, Backoff.FIXED, Duration.ZERO, Duration.ZERO, 0, List.of());

  private Database database;
  private LogLines log;
  private final List<TestNode> nodes = new ArrayList<>();
  private final List<String> worked = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger misread = new AtomicInteger();

  @BeforeEach
  void makeDatabase() {
    database = TestDatabase.withTables();
    log = new LogLines("org.readpast");
  }

  @AfterEach
  void closeNodes() {
    nodes.forEach(TestNode::close);
    log.close();
  }

  private TestNode node(String name) {
    TestNode node = new TestNode(database).named("shop", name).lease(Duration.ofSeconds(2));
    nodes.add(node);
    return node;
  }

  /** Creates a node that handles the given types, given in their stored form. */
  private TestNode handler(String name, String... types) {
    TestNode node = node(name);
    for (String type : types) {
      node.handles(
          type,
          ReceiveMode.LEASED,
          (payload, context) -> {
            worked.add(name + ":" + context.type() + ":" + context.version());
            return JobResult.done();
          });
    }
    return node;
  }

  /**
   * Creates a node that attempts jobs of type "t" only once, and reads only payloads that contain
   * the given text.
   */
  private TestNode reading(String text, ReceiveMode mode, int together) {
    return node("reads " + text).handles(handler(text, mode, together));
  }

  private HandlerDefinition handler(String text, ReceiveMode mode, int together) {
    return new HandlerDefinition(
        "t",
        "{" + text + "}",
        mode,
        Duration.ofSeconds(20),
        together,
        ONCE,
        Set.of(),
        OnLostLease.CONTINUE,
        (payload, context) -> read(text, payload, context),
        null);
  }

  private JobResult read(String text, String payload, JobContext context) {
    if (!payload.contains(text)) {
      misread.incrementAndGet();
      throw new UnreadablePayloadException("no member " + text, null);
    }
    worked.add(text + ":" + payload);
    return JobResult.done();
  }

  private TestNode started(TestNode node) {
    return node.start();
  }

  private void stop(TestNode node) {
    node.close();
    nodes.remove(node);
  }

  private static NewJob payload(String text) {
    return job("t", "{\"" + text + "\":1}");
  }

  private List<String> reasons(long id) {
    TestNode any = nodes.get(0);
    return Objects.requireNonNull(
            new Browser(
                    any.transactions(),
                    new Reasons(any.transactions(), () -> any.engine().settings()))
                .job(id))
        .reasons();
  }

  private List<Notice> attention() {
    return new Overview(nodes.get(0).transactions()).report().attention();
  }

  @Test
  void versions_run_on_the_nodes_that_can_read_them() {
    TestNode old = started(handler("old", "t"));
    long first = old.enqueue("t");
    long second = old.enqueue("t@2");
    Await.until(SOON, () -> stateOf(database, first).equals("COMPLETED"));
    assertThat(stateOf(database, second)).isEqualTo("AVAILABLE");
    assertThat(reasons(second))
        .containsExactly(
            "no node handles type 't' (version 2): start an application that has a handler for"
                + " it");
    assertThat(attention()).anyMatch(n -> n.kind() == Kind.NOT_WORKED && "t@2".equals(n.about()));

    TestNode new2 = started(handler("new", "t@2", "t"));
    Await.until(SOON, () -> stateOf(database, second).equals("COMPLETED"));
    stop(old);
    long third = new2.enqueue("t@1");
    long fourth = new2.enqueue("t");
    Await.until(SOON, () -> stateOf(database, fourth).equals("COMPLETED"));
    Await.until(SOON, () -> stateOf(database, third).equals("COMPLETED"));
    stop(new2);

    TestNode again = started(handler("again", "t"));
    long fifth = again.enqueue("t");
    Await.until(SOON, () -> stateOf(database, fifth).equals("COMPLETED"));
    assertThat(worked)
        .containsExactlyInAnyOrder("old:t:1", "new:t:2", "new:t:1", "new:t:2", "again:t:1");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void payload_that_one_version_cannot_read_runs_on_the_other_even_at_the_last_attempt(
      ReceiveMode mode) {
    TestNode old = started(reading("old", mode, 5));
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.add(old.enqueue(payload("new")).get(0).id());
    }
    Await.until(SOON, "the old version has tried", () -> misread.get() > 0);
    started(reading("new", mode, 5));
    Await.until(
        Duration.ofMinutes(2),
        "all jobs have ended",
        () ->
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'")
                == 50);
    assertThat(worked).hasSize(50).allMatch(line -> line.startsWith("new:"));
    assertThat(count(database, "select count(*) from readpast_job_history where attempt <> 1"))
        .isZero();
    assertThat(old.engine().figures().get(0).counters().failed()).isZero();
  }

  @Test
  void payload_that_no_version_can_read_waits_with_a_reason() {
    TestNode one = started(reading("one", ReceiveMode.TRANSACTIONAL, 1));
    started(reading("two", ReceiveMode.TRANSACTIONAL, 1));
    long id = one.enqueue(payload("three")).get(0).id();
    one.enqueue(payload("three"));
    Await.until(SOON, "a warning was logged", () -> log.count("READPAST-0034") > 0);
    assertThat(log.from(Level.WARNING))
        .anyMatch(line -> line.contains("0034") && line.contains("no member"));
    Await.until(
        SOON,
        "the job has a reason",
        () ->
            reasons(id).stream()
                .anyMatch(reason -> reason.contains("read its payload (no member ")));
    Await.until(
        SOON,
        "the notice is shown",
        () -> attention().contains(new Notice(Kind.UNREADABLE, "t", 0)));
    int before = misread.get();
    Await.until(SOON, "there were more attempts", () -> misread.get() > before + 2);
    assertThat(
            count(
                database,
                "select count(*) from readpast_job where attempt = 0 or state = 'RUNNING'"))
        .isEqualTo(2);
    assertThat(
            count(
                database,
                "select count(*) from readpast_failure where kind = 'UNREADABLE' and job_id = "
                    + id))
        .isLessThanOrEqualTo(2);
    assertThat(log.count("READPAST-0034")).isLessThanOrEqualTo(2);

    started(reading("three", ReceiveMode.TRANSACTIONAL, 1));
    Await.until(Duration.ofSeconds(60), () -> stateOf(database, id).equals("COMPLETED"));
    Await.until(
        SOON, () -> attention().stream().noneMatch(notice -> notice.kind() == Kind.UNREADABLE));
  }

  @Test
  void a_group_keeps_its_order_while_its_first_job_cannot_be_read() {
    TestNode old = started(reading("old", ReceiveMode.LEASED, 1));
    var group =
        new JobDependencies(
            "g", GroupFailure.HOLD, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD);
    List<Long> ids = new ArrayList<>();
    for (String payload : List.of("{\"new\":1}", "{\"old\":1,\"new\":2}")) {
      ids.add(
          old.enqueue(
                  new NewJob(
                      "q", "t", 4, null, null, null, null, null, null, null, null, group, payload,
                      null))
              .get(0)
              .id());
    }
    Await.until(SOON, "the old version has tried", () -> misread.get() > 0);
    assertThat(worked).isEmpty();
    started(reading("new", ReceiveMode.LEASED, 1));
    Await.until(Duration.ofSeconds(60), () -> stateOf(database, ids.get(1)).equals("COMPLETED"));
    assertThat(worked.get(0)).isEqualTo("new:{\"new\":1}");
    assertThat(worked).hasSize(2);
  }

  @Test
  void node_skips_a_long_queue_that_it_cannot_read() {
    TestNode old = started(reading("old", ReceiveMode.LEASED, 1));
    NewJob[] many = new NewJob[1_000];
    java.util.Arrays.fill(many, payload("new"));
    old.enqueue(many);
    Await.until(SOON, "the old version has tried", () -> misread.get() > 2);
    long last = old.enqueue("other");
    old.enqueue("t");
    // Jobs of another lane that the node can read are not delayed.
    assertThat(stateOf(database, last)).isEqualTo("AVAILABLE");
    Await.until(
        SOON, "some lanes are paused", () -> log.count("is postponed") + log.count("0034") > 4);
    assertThat(misread.get()).isLessThan(300);
    assertThat(count(database, "select count(*) from readpast_job where state = 'AVAILABLE'"))
        .isGreaterThan(700);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void readable_job_does_not_wait_for_more_urgent_jobs_that_cannot_be_read(ReceiveMode mode) {
    TestNode node = started(reading("new", mode, 1));
    database.execute(
        "insert into readpast_job (queue, type, priority, state, position, available_at, payload)"
            + " select 'q', 't', 9, 'AVAILABLE', nextval('readpast_position'), clock_timestamp(),"
            + " '{\"old\":1}' from generate_series(1, 40)");
    node.enqueue(job("other"));
    Await.until(
        SOON,
        "the node begins to skip the type",
        () ->
            count(database, "select count(*) from readpast_failure where kind = 'UNREADABLE'")
                >= 5);
    node.enqueue(payload("new"));
    Await.until(SOON, "the readable job", () -> worked.contains("new:{\"new\":1}"));
  }

  @Test
  void receive_returns_all_versions_and_unreadable_jobs_lose_no_attempt() throws Exception {
    TestNode node = started(node("receives"));
    long id = node.enqueue("t@2");
    SynchronousReceive receive = node.engine().synchronousReceive();
    node.transactions()
        .inHandlerTransaction(
            SOON,
            () -> {
              SynchronousReceive.Received received = receive.receive("q", SOON, List.of("t"));
              assertThat(Objects.requireNonNull(received).job().type()).isEqualTo("t@2");
              received.unreadable(new UnreadablePayloadException("misread", null));
              return false;
            });
    Await.until(SOON, () -> stateOf(database, id).equals("SCHEDULED"));
    assertThat(count(database, "select attempt from readpast_job where id = " + id)).isZero();
    assertThat(count(database, "select count(*) from readpast_failure where kind = 'UNREADABLE'"))
        .isEqualTo(1);
  }
}
