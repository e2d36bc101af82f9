package org.readpast.server.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.server.app.Application;
import org.readpast.server.app.BackgroundTasks;
import org.readpast.server.app.OwnBackgroundTasks;
import org.readpast.server.app.Payloads.Colour;
import org.readpast.server.app.Payloads.Line;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;

/** Tests background methods, whose calls are jobs. */
@ExtendWith(ArquillianExtension.class)
class BackgroundIT {
  @Inject BackgroundTasks tasks;
  @Inject OwnBackgroundTasks ownTasks;
  @Inject JobQueue jobs;
  @Inject Rows rows;
  @Inject Script script;
  @Inject UserTransaction transaction;

  @Resource(lookup = "java:module/ModuleName")
  String module;

  private String mark = UUID.randomUUID().toString();

  @Deployment
  static WebArchive application() {
    return Application.archive("background", BackgroundIT.class, "readpast.payload.max-size=20000");
  }

  @Test
  void call_runs_after_the_commit_of_the_caller() throws Exception {
    transaction.begin();
    tasks.write(mark);
    long id = latest(typeOf(BackgroundTasks.class, "write"));
    assertThat(rows.transactionOfJob(id)).isEqualTo(rows.value("select pg_current_xact_id()"));
    assertThat(rows.written(mark)).isZero();
    transaction.commit();
    rows.awaitState(id, "COMPLETED");
    assertThat(rows.written(mark)).isEqualTo(1);
    assertThat(rows.transactionOfNote(mark)).isEqualTo(rows.transactionOfEnd(id));
  }

  @Test
  void rolled_back_call_creates_no_job() throws Exception {
    transaction.begin();
    tasks.write(mark);
    long id = latest(typeOf(BackgroundTasks.class, "write"));
    transaction.rollback();
    assertThat(rows.state(id)).isNull();
    assertThat(rows.written(mark)).isZero();
  }

  @Test
  void transaction_attribute_of_the_method_applies_to_its_job() throws Exception {
    transaction.begin();
    tasks.apart(mark);
    long id = latest(typeOf(BackgroundTasks.class, "apart"));
    assertThat(rows.transactionOfJob(id)).isEqualTo(rows.value("select pg_current_xact_id()"));
    transaction.commit();
    rows.awaitState(id, "COMPLETED");
    assertThat(rows.transactionOfNote(mark)).isNotEqualTo(rows.transactionOfEnd(id));
  }

  @Test
  void arguments_arrive_unchanged() {
    var price = new BigDecimal("12345678901234567890.0123456789");
    var line = new Line("nüt \"1\"\n☃", new BigDecimal("2.50"));
    var moment = Instant.parse("2026-03-29T01:02:03.123456789Z");
    UUID uuid = UUID.randomUUID();
    tasks.take(
        mark,
        -7,
        price,
        line,
        List.of(line, line),
        Map.of("x", 1),
        moment,
        uuid,
        Colour.GREEN,
        new byte[] {-1, 2},
        null,
        null);
    rows.awaitState(latest(typeOf(BackgroundTasks.class, "take")), "COMPLETED");
    assertThat(script.seen(mark))
        .containsExactly(
            Arrays.asList(
                -7,
                price,
                line,
                List.of(line, line),
                Map.of("x", 1),
                moment,
                uuid,
                Colour.GREEN,
                List.of((byte) -1, (byte) 2),
                typeOf(BackgroundTasks.class, "take"),
                null));
  }

  @Test
  void method_that_calls_itself_through_its_bean_enqueues_another_job() {
    tasks.countDown(mark, 2);
    rows.awaitState(latest("tasks.countdown"), "COMPLETED");
    org.readpast.support.Await.until(
        java.time.Duration.ofSeconds(30), () -> script.seen(mark).size() == 3);
    assertThat(script.seen(mark)).containsExactly(2, 1, 0);
    assertThat(
            rows.count(
                "select count(*) from readpast_job_history where type = 'tasks.countdown'"
                    + " and queue = 'tasks' and priority = 7 and payload ->> 0 = ?",
                mark))
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void direct_call_within_the_bean_runs_immediately() {
    tasks.writeAtOnce(mark);
    assertThat(rows.written(mark)).isEqualTo(1);
  }

  @Test
  void each_bean_runs_its_inherited_methods() {
    tasks.inherited(mark);
    rows.awaitState(latest(typeOf(BackgroundTasks.class, "inherited")), "COMPLETED");
    ownTasks.inherited(mark);
    rows.awaitState(latest(typeOf(OwnBackgroundTasks.class, "inherited")), "COMPLETED");
    assertThat(script.seen(mark)).containsExactly("BackgroundTasks", "OwnBackgroundTasks");
  }

  @Test
  void failed_call_is_retried_by_the_policy_of_its_method() throws Exception {
    tasks.fail(mark, null);
    long id = latest(typeOf(BackgroundTasks.class, "fail"));
    rows.awaitState(id, "DISCARDED");
    assertThat(script.seen(mark)).containsExactly("1 of " + id, "2 of " + id);
    assertThat(rows.failures(id, "message")).containsExactly("it never works", "it never works");
  }

  @Test
  void arguments_that_do_not_match_the_method_are_named() {
    for (String arguments : List.of("[]", "{\"note\":\"x\"}", "[\"x\",\"y\"]")) {
      long id =
          jobs.enqueue(
                  JobRequest.of(
                          typeOf(BackgroundTasks.class, "write"), "application/json", arguments)
                      .maxAttempts(1))
              .id();
      rows.awaitState(id, "SCHEDULED");
      assertThat(rows.failures(id, "kind")).containsExactly("UNREADABLE");
      assertThat(rows.failures(id, "message").get(0))
          .contains("the method " + BackgroundTasks.class.getName() + ".write")
          .containsAnyOf("call has 0 arguments", "call has 2 arguments", "it is not an array");
    }
  }

  @Test
  void too_large_argument_is_refused_to_the_caller() {
    assertThatThrownBy(() -> tasks.write("x".repeat(20_000)))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining(
            "the call of @Background method " + BackgroundTasks.class.getName() + ".write has ")
        .hasMessageContaining("readpast.payload.max-size allows 20000");
  }

  private String typeOf(Class<?> bean, String method) {
    return module + "~" + bean.getName() + "." + method;
  }

  private long latest(String type) {
    return Long.parseLong(
        rows.value(
            "select max(id) from (select id, type from readpast_job union all"
                + " select id, type from readpast_job_history) j where type = ?",
            type));
  }
}
