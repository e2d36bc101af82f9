package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.JobView;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.api.StateConflictException;
import org.readpast.model.JobSearch;

class JobControlIT {
  private static final Bulk.Change RESET = new Bulk.Change(Bulk.Action.RESET, null);

  private final Operator operator = new Operator();

  @AfterEach
  void leave() {
    operator.close();
  }

  private JobView job(long id) {
    return operator.browser.job(id).job();
  }

  @Test
  void waiting_job_is_cancelled_immediately() {
    long id = operator.enqueued(null);
    assertThat(operator.control.cancel(id)).isTrue();
    assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(job(id).payload()).isEqualTo("{\"n\":1.10}");
  }

  @Test
  void job_with_a_locked_row_gets_a_cancellation_request() throws SQLException {
    long id = operator.enqueued(null);
    try (var worker = operator.database.connect();
        var statement = worker.createStatement()) {
      worker.setAutoCommit(false);
      statement.execute("select 1 from readpast_job where id = " + id + " for update");
      assertThat(operator.control.cancel(id)).isFalse();
      worker.rollback();
    }
    assertThat(operator.browser.job(id).cancellationRequested()).isTrue();
    assertThat(job(id).state()).isEqualTo(JobState.AVAILABLE);
  }

  @Test
  void leased_job_gets_a_cancellation_request() {
    long id = operator.enqueued(null);
    operator.database.execute(
        "update readpast_job set state = 'RUNNING', owner = 1 where id = " + id);
    assertThat(operator.control.cancel(id)).isFalse();
    assertThat(operator.control.cancel(id)).isFalse();
    assertThat(job(id).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void ended_job_is_not_cancelled_again() {
    long id = operator.discarded(null);
    assertThatThrownBy(() -> operator.control.cancel(id))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("job " + id + " is DISCARDED");
  }

  @Test
  void unknown_job_is_neither_cancelled_nor_reset() {
    assertThatThrownBy(() -> operator.control.cancel(77)).isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> operator.control.reset(77, false))
        .isInstanceOf(NotFoundException.class);
  }

  @Test
  void reset_job_has_all_its_attempts_and_a_new_fence() {
    long id = operator.discarded("k");
    operator.database.execute("insert into readpast_cancellation (job_id) values (" + id + ")");
    operator.database.execute(
        "update readpast_job_history set expires_at = clock_timestamp() - interval '1 s', crashes ="
            + " 2");
    String fence = operator.value("select claim_no + 1 from readpast_job_history");
    operator.control.reset(id, false);
    assertThat(job(id).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(job(id).attempt()).isEqualTo(5);
    assertThat(
            operator.value(
                "select uncounted || ' ' || coalesce(crashes, 0) || ' ' || claim_no from readpast_job"))
        .isEqualTo("5 0 " + fence);
    assertThat(job(id).expiresAt()).isNull();
    assertThat(operator.browser.job(id).cancellationRequested()).isFalse();
    assertThat(operator.signals).containsExactly("available [q]");
    assertThat(operator.value("select count(*) from readpast_job_history")).isEqualTo("0");
  }

  @Test
  void completed_and_live_jobs_are_not_reset() {
    long live = operator.enqueued(null);
    long done = operator.discarded(null);
    operator.database.execute("update readpast_job_history set state = 'COMPLETED'");
    assertThatThrownBy(() -> operator.control.reset(live, false))
        .hasMessageContaining("is AVAILABLE");
    assertThatThrownBy(() -> operator.control.reset(done, false))
        .hasMessageContaining("is COMPLETED");
    assertThat(operator.signals).isEmpty();
  }

  @Test
  void job_whose_unique_key_is_taken_stays_in_the_history() {
    long id = operator.discarded("k");
    long holder = operator.enqueued("k");
    assertThatThrownBy(() -> operator.control.reset(id, false))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("job " + holder + " is live");
    assertThat(job(id).state()).isEqualTo(JobState.DISCARDED);
  }

  @Test
  void bulk_reset_counts_the_jobs_it_skipped() {
    long first = operator.discarded("k");
    long second = operator.discarded("k");
    long live = operator.enqueued(null);
    Bulk.Result result = operator.bulk.applyTo(RESET, List.of(first, second, live, 4711L, first));
    assertThat(result).isEqualTo(new Bulk.Result(1, 4, null, false));
    assertThat(job(first).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(job(second).state()).isEqualTo(JobState.DISCARDED);
  }

  @Test
  void bulk_reset_resets_all_matching_jobs() {
    operator.discarded(null);
    long cancelled = operator.enqueued(null);
    operator.control.cancel(cancelled);
    assertThat(resetMatching("queue:q type:known state:cancelled")).isEqualTo(1);
    assertThat(resetMatching("queue:other")).isZero();
    assertThat(resetMatching("queue:q")).isOne();
  }

  @Test
  void bulk_run_makes_only_scheduled_jobs_due() {
    long first = operator.enqueued(null);
    long second = operator.enqueued(null);
    long available = operator.enqueued(null);
    long discarded = operator.discarded(null);
    scheduleInAnHour(first, second);
    var run = new Bulk.Change(Bulk.Action.RUN, null);
    assertThat(operator.bulk.applyTo(run, List.of(first, available, discarded, 4711L)).changed())
        .isOne();
    assertThat(job(first).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(job(second).state()).isEqualTo(JobState.SCHEDULED);
    assertThat(operator.bulk.applyToMatching(run, JobSearch.ANY, null).changed()).isOne();
    assertThat(job(second).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(job(discarded).state()).isEqualTo(JobState.DISCARDED);
    assertThat(
            operator.value(
                "select detail->'state' from readpast_audit where action = 'jobs.run' order by id limit 1"))
        .isEqualToIgnoringWhitespace("{\"from\":{\"SCHEDULED\":1},\"to\":\"AVAILABLE\"}");
  }

  @Test
  void bulk_run_does_not_wait_for_a_locked_job() throws SQLException {
    long locked = operator.enqueued(null);
    long free = operator.enqueued(null);
    scheduleInAnHour(locked, free);
    try (Connection other = operator.database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select 1 from readpast_job where id = " + locked + " for update");
      var run = new Bulk.Change(Bulk.Action.RUN, null);
      assertThat(operator.bulk.applyTo(run, List.of(locked, free)).changed()).isOne();
    }
    assertThat(job(free).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(job(locked).state()).isEqualTo(JobState.SCHEDULED);
  }

  private void scheduleInAnHour(long one, long other) {
    operator.database.execute(
        "update readpast_job set state = 'SCHEDULED', position = null,"
            + " available_at = now() + interval '1 hour' where id in (%d, %d)"
                .formatted(one, other));
  }

  private int resetMatching(String search) {
    return operator.bulk.applyToMatching(RESET, JobSearch.parse(search), null).changed();
  }
}
