package org.readpast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.store.TypeLimitStore.TypeLimit;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests that claims lock and count only the limits of types that have jobs. */
class TypeLimitClaimsIT {
  private static final Lane LIMITED = new Lane("limited", 4, 0, 1);
  private static final Lane OLD = new Lane("old", 4, 0, 1);
  private static final Lane FREE = new Lane("free", 4, 0, 1);

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final Claims claims = new Claims(transactions);
  private final TypeLimitStore limits = new TypeLimitStore(transactions);

  @AfterEach
  void close() {
    transactions.close();
  }

  private void limit(String type, int most) {
    transactions.requiresNew(
        () -> {
          limits.configure(Map.of(type, most));
          return true;
        });
  }

  private void alias(String of) {
    database.execute(
        """
        insert into readpast_type (name, max_attempts, alias_of) values ('old', 3, %1$s)
        on conflict (name) do update set alias_of = %1$s"""
            .formatted(of));
  }

  private void enqueue(String type, int jobs) {
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', '%s', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}'
        from generate_series(1, %d)"""
            .formatted(type, jobs));
  }

  private Claims.Leased lease(Lane... lanes) {
    return lease(Map.of("limited", "limited"), lanes);
  }

  private Claims.Leased lease(Map<String, String> limited, Lane... lanes) {
    return claims.leaseWithin(
        new Claims.GlobalLimits(null, limited),
        "q",
        List.of(lanes),
        new Claims.ClaimBounds(
            10, 1_000_000, Duration.ofSeconds(1), Duration.ofMinutes(1), List.of()),
        7);
  }

  private static List<String> types(Claims.Leased leased) {
    return leased.jobs().stream().map(ClaimedJob::type).toList();
  }

  @Test
  void claim_of_a_limited_type_locks_only_the_claimed_job() {
    limit("limited", 2);
    enqueue("limited", 5);
    enqueue("free", 3);
    Claims.Leased first = lease(LIMITED, FREE);
    assertThat(types(first)).containsExactly("limited");
    assertThat(first.more()).isTrue();
    assertThat(first.cut()).isEmpty();
    Claims.Leased second = lease(FREE, LIMITED);
    assertThat(types(second)).containsExactly("free", "free", "free");
    assertThat(second.more()).isTrue();
    assertThat(types(lease(FREE, LIMITED))).containsExactly("limited");
    Claims.Leased last = lease(FREE, LIMITED);
    assertThat(last.jobs()).isEmpty();
    assertThat(last.more()).isFalse();
    assertThat(last.skippedTypes().reached()).containsExactly("limited");
  }

  @Test
  void limit_is_locked_only_where_there_are_jobs_of_its_type() throws Exception {
    limit("limited", 2);
    enqueue("free", 1);
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select 1 from readpast_type_limit for no key update");
      Claims.Leased first = lease(LIMITED, FREE);
      assertThat(types(first)).containsExactly("free");
      assertThat(first.contended()).isFalse();
      enqueue("limited", 1);
      Claims.Leased second = lease(LIMITED, FREE);
      assertThat(second.jobs()).isEmpty();
      assertThat(second.contended()).isTrue();
      assertThat(second.skippedTypes().locked()).containsExactly("limited");
      // If an engine starts with the same limit, it locks and changes nothing.
      limit("limited", 2);
      connection.rollback();
    }
    assertThat(types(lease(LIMITED, FREE))).containsExactly("limited");
  }

  @Test
  void job_of_an_alias_counts_after_an_engine_has_dropped_the_alias() {
    limit("limited", 1);
    alias("'limited'");
    enqueue("old", 1);
    enqueue("limited", 1);
    assertThat(types(lease(Map.of("old", "limited"), OLD))).containsExactly("old");
    alias("null");
    assertThat(lease(LIMITED).skippedTypes().reached()).containsExactly("limited");
  }

  @Test
  void renamed_type_has_the_limit_of_its_new_name() {
    limit("old", 5);
    enqueue("old", 1);
    enqueue("limited", 1);
    assertThat(types(lease(Map.of("old", "old"), OLD))).containsExactly("old");
    limit("limited", 1);
    alias("'limited'");
    assertThat(transactions.autoCommit(limits::all))
        .containsExactlyInAnyOrder(
            new TypeLimit("limited", "limited", 1), new TypeLimit("old", "limited", 1));
    assertThat(lease(LIMITED).skippedTypes().reached())
        .as("leased as old")
        .containsExactly("limited");
  }

  @Test
  void limit_of_10000_means_no_limit() {
    limit("limited", 3);
    alias("'limited'");
    limit("limited", 10_000);
    assertThat(transactions.autoCommit(limits::all)).isEmpty();
  }
}
