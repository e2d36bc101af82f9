package org.readpast.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests how the resolver reads several ends that are reported by one event. */
class DependencyStoreIT {
  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final DependencyStore dependencies = new DependencyStore(transactions);

  @BeforeEach
  void store_an_event_of_three_ended_jobs() {
    tell("'COMPLETED', null");
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private void tell(String stateAndGroup) {
    database.execute(
        """
        insert into readpast_dependency_event (event, jobs, state, group_key, queue, batch, wave, counted)
        values ('ENDED', array[1, 2, 3], %s, 'q', 5, 0, true)"""
            .formatted(stateAndGroup));
  }

  private List<DependencyStore.Event> taken() {
    return transactions.requiresNew(() -> dependencies.takeEvents(1_000).all());
  }

  private void assertTakenOneByOne() {
    List<DependencyStore.Event> ended =
        taken().stream().filter(event -> event.kind() == DependencyStore.EventKind.ENDED).toList();
    assertThat(ended).extracting(DependencyStore.Event::job).containsExactly(1L, 2L, 3L);
    assertThat(ended).extracting(DependencyStore.Event::jobs).containsOnly(1);
  }

  @Test
  void remaining_events_are_reported() {
    tell("'COMPLETED', null");
    DependencyStore.Events first = transactions.requiresNew(() -> dependencies.takeEvents(3));
    assertThat(first.all()).hasSize(1);
    assertThat(first.more()).isTrue();
    DependencyStore.Events second = transactions.requiresNew(() -> dependencies.takeEvents(3));
    assertThat(second.all()).hasSize(1);
    assertThat(second.more()).isFalse();
    assertThat(transactions.requiresNew(() -> dependencies.takeEvents(3)).more()).isFalse();
  }

  @Test
  void successful_jobs_of_a_call_share_one_event() {
    tell("'COMPLETED', null");
    List<DependencyStore.Event> events = taken();
    assertThat(events).extracting(DependencyStore.Event::jobs).containsExactly(3, 3);
    assertThat(events).extracting(DependencyStore.Event::job).containsOnlyNulls();
    assertThat(events).extracting(DependencyStore.Event::batch).containsOnly(5L);
    assertThat(events).extracting(DependencyStore.Event::counted).containsOnly(true);
    assertThat(events).extracting(DependencyStore.Event::followed).containsOnly(false);
  }

  @Test
  void each_job_with_followers_is_an_event() {
    database.execute("insert into readpast_predecessor values (9, 2, 'HOLD')");
    List<DependencyStore.Event> events = taken();
    assertThat(events).extracting(DependencyStore.Event::job).containsExactly(1L, 2L, 3L);
    assertThat(events)
        .extracting(DependencyStore.Event::followed)
        .containsExactly(false, true, false);
  }

  @Test
  void each_job_that_held_others_before_a_reset_is_an_event() {
    database.execute("insert into readpast_hold (job_id, batch, wave) values (3, 5, 0)");
    assertTakenOneByOne();
  }

  @Test
  void each_end_is_an_event_next_to_other_events() {
    database.execute("insert into readpast_dependency_event (event, job_id) values ('RESET', 2)");
    assertTakenOneByOne();
  }

  @Test
  void each_discarded_job_is_an_event() {
    taken();
    tell("'DISCARDED', null");
    assertTakenOneByOne();
  }

  @Test
  void callbacks_are_read_in_pieces_of_a_few_mebibytes() {
    database.execute(
        """
        insert into readpast_callback (batch, event, queue, type, priority, payload)
        select batch, 'FINISH', 'q', 't', 4, to_json(repeat('x', bytes))
        from (values (1, 3000000), (2, 1000000), (3, 5000000), (4, 10), (4, 20)) b(batch, bytes)""");
    assertThat(takenCallbacks()).containsExactlyInAnyOrder("1 more", "2 more");
    assertThat(takenCallbacks()).containsExactly("3 more");
    assertThat(takenCallbacks()).containsExactly("4");
    assertThat(takenCallbacks()).isEmpty();
  }

  @Test
  void at_most_a_hundred_callbacks_are_read_at_a_time() {
    database.execute(
        """
        insert into readpast_callback (batch, event, queue, type, priority, payload)
        select batch, 'FINISH', 'q', 't', 4, '{}' from generate_series(1, 150) batch""");
    assertThat(takenCallbacks()).hasSize(100).allMatch(one -> one.endsWith(" more"));
    assertThat(takenCallbacks()).hasSize(50).noneMatch(one -> one.endsWith(" more"));
  }

  /** Returns the ids of callbacks, each with a note if more callbacks may be due. */
  private List<String> takenCallbacks() {
    List<Long> batches = LongStream.rangeClosed(1, 150).boxed().toList();
    DependencyStore.DueCallbacks due =
        transactions.requiresNew(() -> dependencies.takeCallbacks(batches, "FINISH"));
    return due.some().stream().map(one -> one.id() + (due.more() ? " more" : "")).toList();
  }

  @Test
  void equal_added_jobs_are_one_row_for_each_group() {
    for (int i = 0; i < 3; i++) {
      add("'WAVE', 5, 1, null");
    }
    add("'WAVE', 5, 2, null");
    add("'GROUP', null, null, 'a'");
    add("'GROUP', null, null, 'b'");
    assertThat(jobsCame()).isTrue();
    List<AlikeJobs> added = transactions.requiresNew(() -> dependencies.takeUnseen(1_000));
    assertThat(AlikeJobs.jobs(added)).isEqualTo(6);
    assertThat(added)
        .extracting(moved -> moved.wave() + " " + moved.group() + " " + moved.jobs())
        .containsExactlyInAnyOrder("1 null 3", "2 null 1", "null a 1", "null b 1");
    assertThat(transactions.requiresNew(() -> dependencies.takeUnseen(1_000))).isEmpty();
    assertThat(jobsCame()).isFalse();
  }

  private boolean jobsCame() {
    return transactions.requiresNewUnbounded(() -> dependencies.lock());
  }

  private void add(String place) {
    database.execute(
        """
        insert into readpast_job (queue, type, state, available_at, unseen, payload, waits_for, batch, wave,
          group_key)
        values ('q', 't', 'BLOCKED', clock_timestamp(), true, '{}', %s)"""
            .formatted(place));
  }
}
