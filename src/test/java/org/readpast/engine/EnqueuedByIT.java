package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.value;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.BatchControl;
import org.readpast.admin.JobControl;
import org.readpast.admin.store.JobAdmin;
import org.readpast.api.Backoff;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.Principal;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests on whose behalf jobs run. */
class EnqueuedByIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final RetryPolicy FIVE_TIMES =
      new RetryPolicy(5, Backoff.FIXED, Duration.ZERO, Duration.ZERO, 0, List.of());
  private static final Principal EVE = new Principal("eve", Set.of("clerk", "auditor"));

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database);
  private final List<String> seen = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    node.close();
  }

  private void handles(String type, ReceiveMode mode, String... roles) {
    node.handles(
        new HandlerDefinition(
            type,
            null,
            mode,
            SOON,
            1,
            FIVE_TIMES,
            Set.of(roles),
            OnLostLease.CONTINUE,
            (payload, context) -> {
              seen.add(type + " by " + context.enqueuedBy());
              return JobResult.done();
            },
            null));
  }

  private void awaitState(long id, String state) {
    Await.until(
        SOON,
        "state " + state + " of job " + id,
        () ->
            state.equals(
                value(database, "select state from readpast_job_history where id = " + id)));
  }

  private String kept(long id) {
    return value(
        database,
        "select concat_ws('/', enqueued_by, replace(enqueuer_roles, chr(10), ',')) from"
            + " (select id, enqueued_by, enqueuer_roles from readpast_job union all"
            + " select id, enqueued_by, enqueuer_roles from readpast_job_history) j where id = "
            + id);
  }

  @Test
  void name_and_roles_stay_with_jobs_however_they_are_enqueued() {
    node.start();
    NewJob plain = TestNode.job("nobody-works-it");
    NewJob grouped =
        TestNode.job(
            "nobody-works-it",
            new JobDependencies(
                "g",
                GroupFailure.SKIP,
                null,
                0,
                null,
                List.of(),
                List.of(),
                PredecessorFailure.HOLD));
    long one = node.enqueue(plain.by(EVE)).get(0).id();
    var alike = node.enqueue(plain.by(EVE), plain.by(EVE));
    var mixed = node.enqueue(plain.by(EVE), grouped.by(new Principal("mallory", Set.of())), plain);
    assertThat(List.of(kept(one), kept(alike.get(0).id()), kept(alike.get(1).id())))
        .containsOnly("eve/auditor,clerk");
    assertThat(mixed.stream().map(job -> kept(job.id())))
        .containsExactly("eve/auditor,clerk", "mallory", "");
  }

  @Test
  void handler_that_requires_a_role_is_not_called_for_other_callers() {
    for (ReceiveMode mode : ReceiveMode.values()) {
      handles("open." + mode, mode);
      handles("demanding." + mode, mode, "clerk", "boss");
    }
    node.start();
    for (ReceiveMode mode : ReceiveMode.values()) {
      seen.clear();
      NewJob demanding = TestNode.job("demanding." + mode);
      awaitState(node.enqueue(TestNode.job("open." + mode)).get(0).id(), "COMPLETED");
      awaitState(node.enqueue(demanding.by(EVE)).get(0).id(), "COMPLETED");
      for (Principal other :
          List.of(Principal.NOBODY, new Principal("mallory", Set.of("auditor")))) {
        long refused = node.enqueue(demanding.by(other)).get(0).id();
        awaitState(refused, "DISCARDED");
        assertThat(
                value(
                    database,
                    "select string_agg(message, '|') from readpast_failure where job_id = "
                        + refused))
            .startsWith(
                "jobs of type 'demanding." + mode + "' may only be enqueued by callers with one of")
            .contains("[boss, clerk], but this job was enqueued by ")
            .contains(other.name() == null ? "a caller that was not signed in" : "'mallory'")
            .doesNotContain("|");
      }
      assertThat(seen)
          .containsExactly("open." + mode + " by null", "demanding." + mode + " by eve");
    }
  }

  @Test
  void enqueued_jobs_and_callbacks_have_the_enqueuer_of_their_job() {
    node.handles(
        "first",
        ReceiveMode.TRANSACTIONAL,
        (payload, context) -> {
          context.enqueue("second");
          return JobResult.done();
        });
    handles("second", ReceiveMode.TRANSACTIONAL, "clerk");
    handles("callback", ReceiveMode.LEASED, "clerk");
    node.start();
    var batches =
        new BatchControl(
            node.transactions(), node.engine().signals(), job -> job.by(EVE), node.audit());
    batches.callback("b", BatchControl.Event.FINISH, TestNode.job("callback"));
    batches.request(org.readpast.admin.store.BatchAdmin.Action.SEAL, "b");
    node.enqueue(TestNode.job("first").by(EVE));
    Await.until(SOON, "both jobs have run", () -> seen.size() == 2);
    assertThat(seen).containsExactlyInAnyOrder("second by eve", "callback by eve");
  }

  @Test
  void edited_payload_does_not_have_the_roles_of_the_enqueuer() {
    handles("demanding", ReceiveMode.TRANSACTIONAL, "clerk");
    node.start();
    var admin = new JobAdmin(node.transactions());
    long id = node.enqueue(TestNode.job("demanding", 4, Duration.ofHours(1)).by(EVE)).get(0).id();
    node.transactions().required(() -> admin.cancel(id));
    node.transactions().required(() -> admin.reset(List.of(id), false));
    awaitState(id, "COMPLETED");
    long edited =
        node.enqueue(TestNode.job("demanding", 4, Duration.ofHours(1)).by(EVE)).get(0).id();
    node.transactions().required(() -> admin.cancel(edited));
    new JobControl(node.transactions(), node.engine().signals(), node.audit())
        .reset(edited, false, "{\"to\":\"mallory\"}");
    awaitState(edited, "DISCARDED");
    assertThat(kept(edited)).isEqualTo("eve");
    assertThat(seen).containsExactly("demanding by eve");
  }
}
