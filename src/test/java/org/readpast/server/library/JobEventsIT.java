package org.readpast.server.library;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.api.FailNowException;
import org.readpast.api.InState;
import org.readpast.api.JobEvent;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobState;
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;
import org.readpast.server.app.Visit;
import org.readpast.support.Await;

/** Tests that observers of an application receive events of its ended jobs. */
@ExtendWith(ArquillianExtension.class)
class JobEventsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Inject JobQueue jobs;
  @Inject Rows rows;
  @Inject Script script;
  @Inject UserTransaction transaction;

  private String mark = UUID.randomUUID().toString();

  @Deployment
  static WebArchive application() {
    return Application.archive("events", JobEventsIT.class);
  }

  /** Observes events in every possible way. */
  @ApplicationScoped
  public static class Ears {
    @Inject Script script;
    @Inject Visit visit;
    @Inject UserTransaction transaction;

    void any(@Observes JobEvent job) throws SystemException {
      assertThat(visit).hasToString(visit.toString());
      heard(
          transaction.getStatus() == Status.STATUS_NO_TRANSACTION ? "any" : "in a transaction",
          job);
    }

    void dead(@Observes @InState(JobState.DISCARDED) JobEvent job) {
      heard("dead", job);
    }

    void later(
        @Observes(during = TransactionPhase.AFTER_SUCCESS) @InState(JobState.DISCARDED)
            JobEvent job) {
      heard("after success", job);
    }

    void follower(
        @Observes
            @InState(
                value = {JobState.CANCELLED, JobState.DISCARDED},
                type = "app.follower",
                queue = {"other", "default"})
            JobEvent job) {
      heard("follower", job);
    }

    void ofOtherQueue(@Observes @InState(queue = "other") JobEvent job) {
      heard("other queue", job);
    }

    void elsewhere(@ObservesAsync @InState(JobState.COMPLETED) JobEvent job) {
      heard("async", job);
    }

    private void heard(String by, JobEvent job) {
      String mark = job.correlationId();
      if (mark != null) {
        script.saw(mark, by + " " + job.state() + " " + job.id() + " " + job.failure());
      }
    }
  }

  private JobRequest request(Object payload) {
    return JobRequest.of(payload).correlationId(mark);
  }

  private void awaitHeard(int events) {
    Await.until(SOON, events + " events", () -> script.seen(mark).size() >= events);
  }

  @Test
  void observers_receive_the_completions_that_they_select() {
    for (Object payload : List.of(new Payloads.Transactional(mark), new Payloads.Leased(mark))) {
      mark = UUID.randomUUID().toString();
      script.plan(
          mark,
          context -> {
            throw new FailNowException("no more");
          });
      Object failing =
          payload instanceof Payloads.Leased
              ? new Payloads.Leased(mark)
              : new Payloads.Transactional(mark);
      long dead = jobs.enqueue(request(failing)).id();
      String why = " DISCARDED " + dead + " " + FailNowException.class.getName() + ": no more";
      awaitHeard(3);
      long well = jobs.enqueue(request(new Payloads.ToMethod(mark + " well"))).id();
      awaitHeard(5);
      String done = " COMPLETED " + well + " null";
      assertThat(script.seen(mark))
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(
                      "any" + why,
                      "dead" + why,
                      "after success" + why,
                      "any" + done,
                      "async" + done)
                  .<Object>map(text -> text)
                  .toList());
    }
  }

  @Test
  void rolled_back_completion_is_not_reported() throws Exception {
    long id = jobs.enqueue(request(new Payloads.Follower(mark)).delay(Duration.ofHours(1))).id();
    transaction.begin();
    jobs.cancel(id);
    transaction.rollback();
    assertThat(rows.state(id)).isEqualTo("SCHEDULED");
    transaction.begin();
    jobs.cancel(id);
    assertThat(script.seen(mark)).isEmpty();
    transaction.commit();
    awaitHeard(2);
    assertThat(script.seen(mark))
        .containsExactlyInAnyOrder(
            "any CANCELLED " + id + " null", "follower CANCELLED " + id + " null");
  }
}
