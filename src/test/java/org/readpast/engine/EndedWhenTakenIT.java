package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.Backoff;
import org.readpast.api.Enqueued;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.model.Place;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Transactional jobs of which nothing is kept end as they are taken, and come back if need be. */
class EndedWhenTakenIT {
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final RetryPolicy ONCE =
      new RetryPolicy(1, Backoff.FIXED, Duration.ofSeconds(1), SOON, 0, List.of());

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database).keeps(JobState.COMPLETED, Duration.ZERO);
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    node.close();
  }

  /** Of what is told to the settlement, which takes it at once. */
  private void watchWhatIsTold() {
    database.execute(
        """
        create table told (job_id bigint);
        create function tell() returns trigger language plpgsql as
          'begin insert into told select unnest(coalesce(new.jobs, array[new.job_id])); return new; end';
        create trigger tell after insert on readpast_settle for each row execute function tell()""");
  }

  private List<String> told() {
    return TestDatabase.column(database, "select job_id from told order by 1");
  }

  private void handles(String type, Handling.Work work) {
    node.handles(type, ReceiveMode.TRANSACTIONAL, work);
  }

  private void awaitNoJobs() {
    Await.until(SOON, () -> count(database, "select count(*) from readpast_job") == 0);
  }

  private static NewJob after(String type, long predecessor) {
    return job(
        type,
        new Place(
            null,
            GroupFailure.SKIP,
            null,
            0,
            null,
            List.of(predecessor),
            List.of(),
            PredecessorFailure.HOLD));
  }

  /** How many rows of jobs the handler's own transaction still sees. */
  private long ownRow(long id) {
    return ((Number)
            node.transactions()
                .entityManager()
                .createNativeQuery("select count(*) from readpast_job where id = " + id)
                .getSingleResult())
        .longValue();
  }

  @Test
  void a_job_is_gone_with_its_claim_for_its_own_transaction_only() throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    handles(
        "t",
        (payload, context) -> {
          seen.add("own row: " + ownRow(context.id()));
          working.countDown();
          go.await(10, TimeUnit.SECONDS);
          return JobResult.done();
        });
    node.start();

    long id = node.enqueue("t");

    assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(value(database, "select state from readpast_job where id = " + id))
        .isEqualTo("AVAILABLE");
    go.countDown();
    awaitNoJobs();
    assertThat(seen).containsExactly("own row: 0");
    assertThat(count(database, "select count(*) from readpast_job_history")).isZero();
  }

  @Test
  void a_job_that_fails_is_back_and_tried_again() {
    handles(
        "t",
        (payload, context) -> {
          seen.add("attempt " + context.attempt());
          if (context.attempt() < 3) {
            throw new IllegalStateException("not yet");
          }
          return JobResult.done();
        });
    node.start();

    long id = node.enqueue("t");

    Await.until(SOON, () -> seen.size() == 3);
    awaitNoJobs();
    assertThat(seen).containsExactly("attempt 1", "attempt 2", "attempt 3");
    assertThat(count(database, "select count(*) from readpast_failure where job_id = " + id))
        .isEqualTo(2);
  }

  @Test
  void a_handler_that_goes_on_after_an_error_of_the_database_has_failed() {
    handles(
        "t",
        (payload, context) -> {
          seen.add("attempt " + context.attempt());
          if (context.attempt() == 1) {
            try {
              node.transactions().entityManager().createNativeQuery("select 1/0").getResultList();
            } catch (RuntimeException e) {
              seen.add("caught");
            }
          }
          return JobResult.done();
        });
    node.start();

    long id = node.enqueue("t");

    Await.until(SOON, () -> seen.size() == 3);
    awaitNoJobs();
    assertThat(seen).containsExactly("attempt 1", "caught", "attempt 2");
    assertThat(count(database, "select count(*) from readpast_failure where job_id = " + id))
        .isEqualTo(1);
  }

  @Test
  void a_follower_that_comes_while_the_job_is_in_work_goes_on_with_its_end() throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    handles(
        "t",
        (payload, context) -> {
          working.countDown();
          go.await(10, TimeUnit.SECONDS);
          return JobResult.done();
        });
    handles("follower", (payload, context) -> JobResult.done());
    watchWhatIsTold();
    node.start();
    long id = node.enqueue("t");
    assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();

    node.enqueue(after("follower", id));
    Await.until(
        SOON,
        () ->
            count(database, "select count(*) from readpast_predecessor where seen_at is not null")
                == 1);
    go.countDown();

    awaitNoJobs();
    assertThat(told()).containsExactly(Long.toString(id));
  }

  @Test
  void a_follower_that_the_handler_enqueues_itself_goes_on_with_its_end() {
    handles(
        "t",
        (payload, context) -> {
          node.enqueue(after("follower", context.id()));
          return JobResult.done();
        });
    handles("follower", (payload, context) -> JobResult.done());
    watchWhatIsTold();
    node.start();

    long id = node.enqueue("t");

    Await.until(SOON, () -> told().contains(Long.toString(id)));
    awaitNoJobs();
    assertThat(told()).containsExactly(Long.toString(id));
  }

  @Test
  void of_jobs_that_share_a_transaction_those_are_told_that_somebody_waits_for() {
    CountDownLatch all = new CountDownLatch(5);
    node.handles(
        "t",
        ReceiveMode.TRANSACTIONAL,
        10,
        ONCE,
        SOON,
        (payload, context) -> {
          all.countDown();
          return JobResult.done();
        });
    handles("follower", (payload, context) -> JobResult.done());
    node.start();
    // As if they had come while nobody looked.
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}' from generate_series(1, 5)""");
    long followed = count(database, "select min(id) + 2 from readpast_job");
    watchWhatIsTold();
    database.execute(
        "insert into readpast_predecessor (job_id, predecessor_id, on_failure) values (4711, "
            + followed
            + ", 'RUN')");

    node.engine().signals().queueChanged("q");

    awaitNoJobs();
    assertThat(all.getCount()).isZero();
    Await.until(SOON, () -> count(database, "select count(*) from readpast_predecessor") == 0);
    assertThat(told()).containsExactly(Long.toString(followed));
  }

  @Test
  void a_unique_key_is_held_until_the_end() {
    handles(
        "t",
        (payload, context) -> {
          if (payload.equals("1")) {
            Enqueued again = node.enqueue(unique("2")).get(0);
            seen.add("new: " + again.isNew() + ", held by itself: " + (again.id() == context.id()));
          }
          return JobResult.done();
        });
    node.start();

    node.enqueue(unique("1"));

    awaitNoJobs();
    assertThat(seen).containsExactly("new: false, held by itself: true");
  }

  private static NewJob unique(String payload) {
    return new NewJob("q", "t", 4, null, null, null, null, "k", null, null, null, payload);
  }

  @Test
  void an_expired_job_is_not_started_and_kept_as_that() {
    handles("t", (payload, context) -> JobResult.done());
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, position, available_at, expires_at, payload)
        values ('q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(),
          clock_timestamp() - interval '1 second', '{}')""");
    node.start();

    awaitNoJobs();
    assertThat(value(database, "select state from readpast_job_history")).isEqualTo("EXPIRED");
  }

  @Test
  void a_job_that_its_handler_has_leased_is_seen_in_work() {
    node.handles(
        new Handling(
            "picks",
            ReceiveMode.TRANSACTIONAL,
            SOON,
            1,
            ONCE,
            Set.of(),
            (payload, context) -> {
              seen.add(
                  value(database, "select state from readpast_job where id = " + context.id()));
              return JobResult.done();
            },
            payload -> payload.equals("1")));
    handles("t", (payload, context) -> JobResult.done());
    node.start();

    for (String payload : List.of("1", "2")) {
      node.enqueue(
          new NewJob("q", "picks", 4, null, null, null, null, null, null, null, null, payload));
      awaitNoJobs();
    }

    assertThat(seen).containsExactly("RUNNING", "AVAILABLE");
  }
}
