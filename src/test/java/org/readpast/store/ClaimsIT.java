package org.readpast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.model.Principal;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests that a claim returns jobs exactly as they were enqueued, regardless of their content. */
class ClaimsIT {
  private static final int NODE = 7;
  // From the fifth execution of a statement on, the driver requests different formats.
  private static final int OFTEN = 8;
  private static final String ODD = "{\"NULL\",\\\\ ü , 'x'}\n\t😀";
  private static final Instant MOMENT = Instant.parse("2026-03-29T01:02:03.456789Z");

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final Claims claims = new Claims(transactions);

  @BeforeEach
  void enqueue() throws Exception {
    try (var connection = database.connect();
        var insert =
            connection.prepareStatement(
                """
                insert into readpast_job (queue, type, priority, state, position, enqueued_at, available_at, expires_at,
                  claim_no, attempt, uncounted, crashes, max_attempts, unique_key, correlation_id, properties, payload,
                  content_type, enqueued_by, enqueuer_roles, group_key, batch, wave)
                values ('q', 'full', 9, 'AVAILABLE', 5000000000, '2026-03-29T01:02:03.456789Z',
                  '1970-01-01T00:00:00.000001Z', '2000-01-01', 3, 2, 1, 1, 5, ?, 'NULL', ?::json, ?::json, 'text/plain',
                  'ann', e'a\\nb', 'g', null, null),
                ('q', 'bare', 0, 'AVAILABLE', 1, clock_timestamp(), clock_timestamp(), null,
                  0, 0, null, null, null, null, null, null, '{}', null, null, null, null, 1, 0)""")) {
      insert.setString(1, ODD);
      insert.setString(2, properties());
      insert.setString(3, payload());
      insert.execute();
    }
  }

  private static String properties() {
    return "{\"p\": \""
        + ODD.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t")
        + "\"}";
  }

  private static String payload() {
    return "[null, \"NULL\", \"\", " + properties() + "]";
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private static final List<Lane> LANES =
      List.of(new Lane("full", 9, 0, 1), new Lane("bare", 0, 0, 1));

  @Test
  void leased_jobs_are_as_they_were_enqueued() {
    for (int i = 0; i < OFTEN; i++) {
      List<ClaimedJob> jobs = claims.lease("q", LANES, most(10, 1_000_000), NODE).jobs();
      assertThat(jobs).hasSize(2);
      is(jobs.get(0), i);
      isBare(jobs.get(1));
      assertThat(jobs.get(0).attempt()).isEqualTo(3);
      assertThat(jobs.get(0).group()).isEqualTo("g");
      assertThat(jobs.get(1).group()).isNull();
      assertThat(jobs.get(1).batch()).isNotNull();
      assertThat(jobs)
          .extracting(ClaimedJob::lease)
          .doesNotContain(0L)
          .containsOnly(jobs.get(0).lease());
      database.execute(
          "update readpast_job set state = 'AVAILABLE', owner = null, attempt = attempt - 1, claim_no = claim_no - 1");
    }
  }

  private static Claims.ClaimBounds most(int jobs, long bytes) {
    return new Claims.ClaimBounds(
        jobs, bytes, Duration.ofSeconds(1), Duration.ofMinutes(1), List.of());
  }

  @Test
  void claim_of_an_empty_queue_returns_no_job() {
    Claims.Leased leased =
        claims.lease("q", List.of(new Lane("none", 4, 0, 1)), most(10, 1_000_000), NODE);
    assertThat(leased.jobs()).isEmpty();
    assertThat(leased.cut()).isEmpty();
    assertThat(TestDatabase.count(database, "select count(*) from readpast_lease")).isZero();
  }

  private List<Long> payloads(Claims.Leased leased) {
    return leased.jobs().stream().map(job -> (long) job.payload().length()).toList();
  }

  private void insertOfSizes(int... sizes) {
    database.execute("delete from readpast_job");
    for (int size : sizes) {
      database.execute(
          """
          insert into readpast_job (queue, type, state, position, available_at, payload)
          values ('q', 'sized', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(),
            cast('"' || repeat('x', %d) || '"' as json))"""
              .formatted(size - 2));
    }
  }

  private static final List<Lane> SIZED = List.of(new Lane("sized", 4, 0, 1_000));

  @Test
  void claim_stops_at_the_free_bytes_and_returns_the_position() {
    insertOfSizes(300, 400, 500, 50);
    Claims.Leased leased = claims.lease("q", SIZED, most(10, 1_000), NODE);
    assertThat(payloads(leased)).containsExactly(300L, 400L);
    long third =
        TestDatabase.count(
            database, "select min(position) from readpast_job where state = 'AVAILABLE'");
    assertThat(leased.cut()).containsExactly(new Claims.ReopenedLane("q", "sized", 4, third));
    assertThat(transactions.autoCommit(claims::releases)).isEqualTo(leased.cut());
  }

  @Test
  void properties_count_towards_the_free_bytes() {
    insertOfSizes(30, 30, 30, 30);
    database.execute(
        "update readpast_job set properties = cast('{\"p\":\"' || repeat('x', 242) || '\"}' as json)");
    Claims.Leased leased = claims.lease("q", SIZED, most(10, 899), NODE);
    assertThat(leased.jobs()).extracting(ClaimedJob::bytes).containsExactly(280L, 280L, 280L);
    assertThat(leased.cut()).hasSize(1);
  }

  @Test
  void job_larger_than_the_free_bytes_is_claimed_alone() {
    insertOfSizes(5_000_000, 10, 10);
    assertThat(payloads(claims.lease("q", SIZED, most(10, 1_000), NODE)))
        .containsExactly(5_000_000L);
    Claims.Leased rest = claims.lease("q", SIZED, most(10, 1_000), NODE);
    assertThat(payloads(rest)).containsExactly(10L, 10L);
    assertThat(rest.cut()).isEmpty();
  }

  @Test
  void claim_stops_at_its_expected_work() {
    insertOfSizes(10, 10, 10, 10);
    var bounds =
        new Claims.ClaimBounds(
            10, 1_000_000, Duration.ofNanos(2_500_000), Duration.ofMinutes(1), List.of());
    assertThat(claims.lease("q", SIZED, bounds, NODE).jobs()).hasSize(2);
  }

  private static void is(ClaimedJob job, int round) {
    String as = "round " + round;
    assertThat(job.type()).as(as).isEqualTo("full");
    assertThat(job.priority()).isEqualTo(9);
    assertThat(job.position()).isEqualTo(5_000_000_000L);
    assertThat(job.uncounted()).isEqualTo(1);
    assertThat(job.crashes()).isEqualTo(1);
    assertThat(job.maxAttempts()).isEqualTo(5);
    assertThat(job.enqueuedAt()).isEqualTo(MOMENT);
    assertThat(job.availableAt()).isEqualTo(Instant.EPOCH.plusNanos(1_000));
    assertThat(job.expired()).isTrue();
    assertThat(job.uniqueKey()).as(as).isEqualTo(ODD);
    assertThat(job.correlationId()).as(as).isEqualTo("NULL");
    assertThat(job.properties()).as(as).isEqualTo(properties());
    assertThat(job.payload()).as(as).isEqualTo(payload());
    assertThat(job.contentType()).isEqualTo("text/plain");
    assertThat(job.enqueuedBy()).isEqualTo(new Principal("ann", Set.of("a", "b")));
    assertThat(job.startedAt())
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
  }

  private static void isBare(ClaimedJob job) {
    assertThat(job.type()).isEqualTo("bare");
    assertThat(job.attempt()).isEqualTo(1);
    assertThat(job.uncounted()).isZero();
    assertThat(job.crashes()).isNull();
    assertThat(job.maxAttempts()).isNull();
    assertThat(job.expired()).isFalse();
    assertThat(job.uniqueKey()).isNull();
    assertThat(job.correlationId()).isNull();
    assertThat(job.properties()).isNull();
    assertThat(job.payload()).isEqualTo("{}");
    assertThat(job.contentType()).isNull();
    assertThat(job.enqueuedBy()).isEqualTo(Principal.NOBODY);
  }
}
