package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.retention.RetentionStore;
import org.readpast.runtime.PgNotices;
import org.readpast.store.Claims;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests thousands of queues that are created and deleted: queues without jobs must take almost no
 * time.
 */
class UnusedQueuesIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration KEPT = Duration.ofDays(3);

  private final Set<Long> worked = ConcurrentHashMap.newKeySet();
  private Database database;
  private LocalTransactions transactions;
  private TestNode node;

  @BeforeEach
  void makeDatabase() {
    database = TestDatabase.withTables();
    transactions = new LocalTransactions(database);
    node =
        new TestNode(database)
            .poll(Duration.ofSeconds(1))
            .handles(
                "t",
                ReceiveMode.TRANSACTIONAL,
                (payload, context) -> {
                  worked.add(context.id());
                  return JobResult.done();
                });
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void queue(String name, String settings) {
    database.execute(
        "insert into readpast_queue (name, used_at) values ('%s', now() - interval '4 days'); %s"
            .formatted(name, settings));
  }

  private static NewJob job(String queue) {
    return new NewJob(queue, "t", 4, null, null, null, null, null, null, null, null, "{}");
  }

  private List<String> removed() {
    return transactions.requiresNew(() -> new RetentionStore(transactions).pruneQueues(KEPT));
  }

  private List<String> queues() {
    return TestDatabase.column(database, "select name from readpast_queue order by name");
  }

  private Map<String, Boolean> found(Collection<String> types, Claims.PollRange... used) {
    return transactions
        .autoCommit(() -> new Claims(transactions).poll(List.of(used), types, -1))
        .queues();
  }

  private void jobs(String queue, String type, String state, int jobs) {
    database.execute(
        """
        insert into readpast_job (queue, type, state, owner, claimed_at, deadline, position, available_at, payload)
        select '%1$s', '%2$s', state, case when running then 1 end, case when running then now() end,
          case when running then now() end, nextval('readpast_position'), now(), '{}'
        from (select '%3$s' as state, '%3$s' = 'RUNNING' as running) s, generate_series(1, %4$d)"""
            .formatted(queue, type, state, jobs));
  }

  @Test
  void queue_without_jobs_and_settings_is_removed_if_unused() {
    queue("old", "");
    queue("paused", "update readpast_queue set paused = true where name = 'paused'");
    queue("slow", "update readpast_queue set concurrency = 1 where name = 'slow'");
    queue("limited", "update readpast_queue set global_concurrency = 1 where name = 'limited'");
    database.execute("insert into readpast_queue (name) values ('new')");
    assertThat(removed()).containsExactly("old");
    assertThat(queues()).containsExactly("limited", "new", "paused", "slow");
  }

  @Test
  void queue_with_live_or_ended_jobs_is_kept() {
    queue("live", "");
    queue("later", "");
    queue("ended", "");
    jobs("live", "unknown", "AVAILABLE", 2);
    database.execute(
        """
        insert into readpast_job (queue, type, state, available_at, payload)
        values ('later', 't', 'SCHEDULED', now() + interval '30 days', '{}');
        insert into readpast_job_history (id, enqueued_at, available_at, ended_at, claim_no, attempt, uncounted,
          crashes, priority, state, queue, type, payload)
        values (nextval('readpast_job_id'), now(), now(), now(), 1, 1, 0, 0, 4, 'DISCARDED', 'ended', 't', '{}')""");
    assertThat(removed()).isEmpty();
    database.execute("delete from readpast_job");
    assertThat(removed()).as("the live queues were checked just now").isEmpty();
    assertThat(queues()).containsExactly("ended", "later", "live");
  }

  @Test
  void queue_that_is_enqueued_to_again_is_kept() {
    queue("again", "");
    node.start();
    node.enqueue(job("again"));
    assertThat(removed()).isEmpty();
  }

  @Test
  void queue_is_used_as_long_as_jobs_end_in_it() {
    node.start();
    node.enqueue(job("busy"));
    database.execute("update readpast_queue set used_at = now() - interval '4 days'");
    Await.until(LIMIT, () -> worked.size() == 1);
    Await.until(LIMIT, "the queue counts as used", () -> usedLately("busy"));
    database.execute("delete from readpast_job_history");
    assertThat(removed()).isEmpty();
  }

  @Test
  void queue_that_nodes_only_check_for_jobs_stays_unused() {
    List<String> unused = IntStream.range(0, 23).mapToObj(i -> "unused" + i).toList();
    unused.forEach(queue -> queue(queue, ""));
    queue("past", "");
    queue("busy", "");
    node.start();
    node.enqueue(job("past"), job("busy"));
    Await.until(
        LIMIT,
        "the counts of both jobs are stored",
        () ->
            TestDatabase.count(
                    database, "select coalesce(sum(completed), 0) from readpast_listener")
                == 2);
    database.execute(
        "delete from readpast_job_history; update readpast_queue set used_at = now() - interval '4 days'");

    database.execute("select pg_notify(" + PgNotices.CHANNEL + ", '" + Notices.MISSED + "')");
    node.enqueue(job("busy"));

    Await.until(LIMIT, "later counts are stored", () -> usedLately("busy"));
    assertThat(removed()).contains("past").containsAll(unused).doesNotContain("busy");
  }

  @Test
  void job_enqueued_to_a_queue_that_was_just_removed_runs() {
    node.start();
    node.enqueue(job("gone"));
    Await.until(LIMIT, () -> worked.size() == 1);
    database.execute("delete from readpast_queue");
    jobs("gone", "t", "AVAILABLE", 3);
    jobs("never-seen", "t", "AVAILABLE", 2);
    Await.until(LIMIT, "all jobs of both queues have run", () -> worked.size() == 6);
    assertThat(queues()).contains("never-seen");
  }

  @Test
  void poll_finds_every_queue_with_jobs_among_thousands_of_empty_queues() {
    database.execute(
        "insert into readpast_queue (name) select 'q' || i from generate_series(1, 3000) i");
    jobs("q17", "t", "AVAILABLE", 3);
    jobs("q2999", "u", "AVAILABLE", 1);
    jobs("q300", "running", "RUNNING", 5);
    jobs("q301", "foreign", "AVAILABLE", 1);
    jobs("q301", "t", "RUNNING", 1);
    jobs("z.z", "t", "AVAILABLE", 1);
    List<String> types = List.of("t", "u");
    assertThat(found(types))
        .isEqualTo(Map.of("q17", true, "q2999", true, "q301", false, "z.z", true));
    assertThat(found(types, range("q17", 4L), range("q2999", 1L), range("z.z", null)))
        .isEqualTo(Map.of("q2999", true, "q301", false));
    assertThat(found(types, range("a", 1L), range("zz", 1L), range("q17", 3L)))
        .isEqualTo(Map.of("q17", true, "q2999", true, "q301", false, "z.z", true));
    assertThat(found(types, shared("q17", 4L), shared("q2999", 1L), shared("q301", 1L)))
        .as("no node checks queues for jobs that other nodes process")
        .isEqualTo(Map.of("q17", false, "q2999", true, "q301", false, "z.z", true));
  }

  @Test
  void poll_searches_for_no_jobs_while_none_can_have_arrived() {
    jobs("q", "t", "AVAILABLE", 7);
    Claims claims = new Claims(transactions);
    assertThat(transactions.autoCommit(() -> claims.poll(List.of(), List.of("t"), 6)).queues())
        .containsEntry("q", true);
    assertThat(transactions.autoCommit(() -> claims.poll(List.of(), List.of("t"), 7)).queues())
        .isEmpty();
  }

  private static Claims.PollRange shared(String queue, Long mark) {
    return new Claims.PollRange(queue, mark, true);
  }

  private static Claims.PollRange range(String queue, Long mark) {
    return new Claims.PollRange(queue, mark, false);
  }

  @Test
  void counts_of_a_queue_that_is_created_again_are_added_up() {
    node.start();
    node.enqueue(job("q"), job("q"), job("q"));
    Await.until(LIMIT, "the first jobs are enqueued", () -> enqueued() == 3);
    database.execute("delete from readpast_job_history; delete from readpast_queue");
    Await.until(
        Duration.ofSeconds(40),
        "the node has forgotten the queue",
        () -> node.engine().figures().isEmpty());
    node.enqueue(job("q"), job("q"));
    Await.until(LIMIT, "the other jobs are enqueued", () -> enqueued() == 5);
  }

  private long enqueued() {
    return TestDatabase.count(database, "select coalesce(sum(enqueued), 0) from readpast_minute");
  }

  private boolean usedLately(String queue) {
    return TestDatabase.count(
            database,
            "select count(*) from readpast_queue where used_at > now() - interval '1 day' and name = '"
                + queue
                + "'")
        == 1;
  }
}
