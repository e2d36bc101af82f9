package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.Enqueued;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests lists of jobs that exceed the size of one statement. */
class LargeListsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  // With each row, PostgreSQL stores the number of the command that inserted it.
  private static final String STATEMENTS =
      """
      select sum(octet_length(cast(payload as text))) from readpast_job where queue = 'q'
      group by cast(xmin as text), cast(cmin as text) order by min(id)""";

  private final List<Long> started = Collections.synchronizedList(new ArrayList<>());
  private Database database;
  private TestNode node;

  @BeforeEach
  void prepare() {
    database = TestDatabase.withTables();
    node = new TestNode(database);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private TestNode withoutHandlers() {
    return node.start();
  }

  private TestNode withHandler() {
    return node.handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              started.add(context.id());
              return JobResult.done();
            })
        .start();
  }

  private List<Long> bytesOfStatements() {
    return column(database, STATEMENTS).stream().map(Long::parseLong).toList();
  }

  private static String payload(int bytes) {
    return '"' + "x".repeat(bytes - 2) + '"';
  }

  private static NewJob[] jobs(int many, IntFunction<NewJob> job) {
    return IntStream.range(0, many).mapToObj(job).toArray(NewJob[]::new);
  }

  private static NewJob withKey(String key, int bytes) {
    return new NewJob("q", "t", 4, null, null, null, null, key, null, null, null, payload(bytes));
  }

  private static NewJob placed(JobDependencies dependencies, int bytes) {
    return new NewJob(
        "q",
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
        dependencies,
        payload(bytes),
        null);
  }

  @Test
  void large_list_is_inserted_by_statements_of_a_bounded_size_in_one_transaction() {
    List<Enqueued> enqueued =
        withoutHandlers().enqueue(jobs(70, i -> TestNode.job("t", payload(350_000 + i))));
    assertThat(bytesOfStatements())
        .hasSize(7)
        .allSatisfy(bytes -> assertThat(bytes).isLessThanOrEqualTo(4 << 20));
    assertThat(value(database, "select count(distinct cast(xmin as text)) from readpast_job"))
        .isEqualTo("1");
    assertThat(enqueued).allMatch(Enqueued::isNew);
    assertThat(enqueued.stream().map(e -> e.id() + ""))
        .isEqualTo(
            column(database, "select id from readpast_job order by octet_length(payload::text)"))
        .isEqualTo(column(database, "select id from readpast_job order by position"));
  }

  @Test
  void large_properties_count_towards_the_size_of_a_statement() {
    String properties = "{\"p\":" + payload(900_000) + "}";
    withoutHandlers()
        .enqueue(
            jobs(
                9,
                i ->
                    new NewJob(
                        "q", "t", 4, null, null, null, null, null, null, properties, null, "{}")));
    assertThat(bytesOfStatements()).containsExactly(8L, 8L, 2L);
  }

  @Test
  void job_larger_than_a_statement_should_be_is_inserted_alone() {
    withoutHandlers()
        .enqueue(
            TestNode.job("t", payload(10)),
            TestNode.job("t", payload(20)),
            TestNode.job("t", payload(5_000_000)),
            TestNode.job("t", payload(30)));
    assertThat(bytesOfStatements()).containsExactly(30L, 5_000_000L, 30L);
  }

  @Test
  void list_that_fits_is_inserted_by_one_statement() {
    withoutHandlers().enqueue(jobs(800, i -> TestNode.job("t", payload(5_000))));
    assertThat(bytesOfStatements()).containsExactly(4_000_000L);
  }

  @Test
  void unique_key_repeated_in_a_later_piece_returns_the_earlier_job() {
    List<Enqueued> enqueued =
        withoutHandlers().enqueue(jobs(22, i -> withKey("k" + i % 9, 700_000)));
    for (int i = 0; i < 22; i++) {
      assertThat(enqueued.get(i)).isEqualTo(Enqueued.of(enqueued.get(i % 9).id(), i < 9));
    }
    assertThat(count(database, "select count(*) from readpast_job")).isEqualTo(9);
  }

  @Test
  void refused_last_chunk_undoes_the_earlier_chunks() {
    NewJob[] all = jobs(12, i -> TestNode.job("t", payload(800_000)));
    all[11] = TestNode.job("t", "no JSON");
    assertThatThrownBy(() -> withoutHandlers().enqueue(all)).isInstanceOf(RuntimeException.class);
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
  }

  @Test
  void waves_of_several_pieces_keep_their_order_and_end() {
    List<Enqueued> enqueued =
        withHandler()
            .enqueue(jobs(21, i -> placed(JobDependencies.inBatch("b", 2 - i % 3), 650_000)));
    Await.until(SOON, "all jobs have started", () -> started.size() == 21);
    List<Integer> waves =
        started.stream().map(id -> 2 - enqueued.indexOf(Enqueued.of(id, true)) % 3).toList();
    assertThat(waves).isSorted();
    Await.until(
        SOON,
        "all jobs have ended",
        () -> count(database, "select count(*) from readpast_job where queue = 'q'") == 0);
  }

  @Test
  void job_of_the_first_chunk_can_follow_a_job_of_the_last_chunk() {
    JobDependencies first = follows("first", "last");
    JobDependencies last = follows("last");
    NewJob[] all =
        jobs(10, i -> placed(i == 0 ? first : i == 9 ? last : follows("r" + i), 900_000));
    List<Enqueued> enqueued = withHandler().enqueue(all);
    Await.until(SOON, "all jobs have started", () -> started.size() == 10);
    assertThat(started.indexOf(enqueued.get(0).id()))
        .isGreaterThan(started.indexOf(enqueued.get(9).id()));
  }

  private static JobDependencies follows(String ref, String... after) {
    return new JobDependencies(
        null, GroupFailure.SKIP, null, 0, ref, List.of(), List.of(after), PredecessorFailure.HOLD);
  }

  @Test
  void group_of_several_pieces_runs_in_the_given_order() {
    JobDependencies dependencies =
        new JobDependencies(
            "g", GroupFailure.SKIP, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD);
    List<Enqueued> enqueued = withHandler().enqueue(jobs(13, i -> placed(dependencies, 600_000)));
    Await.until(SOON, "all jobs have started", () -> started.size() == 13);
    assertThat(started).isEqualTo(enqueued.stream().map(Enqueued::id).toList());
  }
}
