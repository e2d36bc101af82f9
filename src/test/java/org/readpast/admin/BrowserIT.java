package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.AttemptView;
import org.readpast.admin.store.JobReads;
import org.readpast.admin.store.JobView;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.model.Failure;
import org.readpast.model.JobSearch;
import org.readpast.model.SearchOrder;

class BrowserIT {
  private static final String NODE = "11111111-2222-3333-4444-555555555555";

  private final Operator operator = new Operator();

  @AfterEach
  void leave() {
    operator.close();
  }

  private void node() {
    operator.database.execute(
        "insert into readpast_node (id, name, version, lease_ms, queues, types) values ('"
            + NODE
            + "', 'n', '1', 10000, '{}', '{known}')");
  }

  private void lease(long id) {
    node();
    operator.database.execute(
        """
        update readpast_job set state = 'RUNNING', owner = 1, attempt = 1, claim_no = 1, claimed_at = clock_timestamp(),
          deadline = clock_timestamp() + interval '1 hour' where id = %1$d;
        insert into readpast_lease (node, queue, jobs, deadline)
        select 1, queue, array[id], deadline from readpast_job where id = %1$d"""
            .formatted(id));
  }

  private List<Long> ids(JobState state) {
    return operator
        .browser
        .jobs(JobSearch.ANY.and(null, null, state), SearchOrder.NEWEST, null, 100)
        .jobs()
        .stream()
        .map(JobView::id)
        .toList();
  }

  @Test
  void leased_job_is_reported_as_running() {
    long id = operator.enqueued(null);
    lease(id);
    var details = operator.browser.job(id);
    assertThat(details.job().state()).isEqualTo(JobState.RUNNING);
    assertThat(details.job().attempt()).isEqualTo(1);
    assertThat(details.attempts()).hasSize(1);
    assertThat(details.attempts().get(0).node()).hasToString(NODE);
    assertThat(ids(JobState.RUNNING)).containsExactly(id);
    assertThat(ids(JobState.AVAILABLE)).isEmpty();
    assertThat(operator.browser.queues().get(0).counts())
        .containsEntry(JobState.RUNNING, 1L)
        .containsEntry(JobState.AVAILABLE, 0L)
        .containsEntry(JobState.COMPLETED, 0L);
  }

  @Test
  void failed_attempts_precede_the_successful_attempt() {
    long id = operator.discarded(null);
    node();
    operator.database.execute(
        "insert into readpast_failure (job_id, attempt, node, started_at, kind, message) values ("
            + id
            + ", 1, 1, clock_timestamp(), 'TIMED_OUT', 'too slow')");
    operator.database.execute(
        "update readpast_job_history set state = 'COMPLETED', attempt = 2, node = 1,"
            + " started_at = clock_timestamp()");
    var attempts = operator.browser.job(id).attempts();
    assertThat(attempts).extracting("attempt").containsExactly(1, 2);
    assertThat(attempts.get(0).failure()).isEqualTo(Failure.of(Failure.Kind.TIMED_OUT, "too slow"));
    assertThat(attempts.get(1).failure()).isNull();
    assertThat(attempts.get(1).node()).hasToString(NODE);
    assertThat(attempts.get(1).endedAt()).isNotNull();
  }

  @Test
  void job_that_has_failed_thousands_of_times_is_shown_with_its_last_attempts() {
    long id = operator.enqueued(null);
    operator.database.execute(
        """
        insert into readpast_failure (job_id, attempt, kind, message)
        select %d, i, 'RETRY_LATER', 'not yet' from generate_series(1, 5000) i"""
            .formatted(id));
    lease(id);
    operator.database.execute("update readpast_job set attempt = 5001");
    assertThat(operator.browser.job(id).attempts())
        .extracting(AttemptView::attempt)
        .containsExactlyElementsOf(IntStream.rangeClosed(4901, 5001).boxed().toList());
  }

  @Test
  void summary_contains_the_queue_and_the_state_of_live_and_ended_jobs() {
    long live = operator.enqueued(null);
    long ended = operator.discarded(null);
    assertThat(operator.browser.summary(live))
        .isEqualTo(new JobReads.Summary("q", JobState.AVAILABLE));
    assertThat(operator.browser.summary(ended))
        .isEqualTo(new JobReads.Summary("q", JobState.DISCARDED));
    assertThatThrownBy(() -> operator.browser.summary(4711)).isInstanceOf(NotFoundException.class);
  }

  @Test
  void pages_contain_each_live_and_ended_job_once_newest_first() {
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(0, operator.enqueued(null));
      all.add(0, operator.discarded(null));
    }
    List<Long> seen = new ArrayList<>();
    Long below = null;
    do {
      var page =
          operator.browser.jobs(
              JobSearch.ANY.and("q", "known", null), SearchOrder.NEWEST, below, 3);
      page.jobs().forEach(job -> seen.add(job.id()));
      below = page.next();
    } while (below != null);
    assertThat(seen).isEqualTo(all);
    assertThat(ids(JobState.DISCARDED)).hasSize(5);
    assertThat(ids(JobState.COMPLETED)).isEmpty();
  }

  @Test
  void unknown_type_is_refused_with_the_known_types() {
    var job =
        new org.readpast.model.NewJob(
            "q", "nope", 4, null, null, null, null, null, null, null, null, "{}");
    assertThatThrownBy(() -> operator.intake.enqueue(List.of(job)))
        .isInstanceOf(UnknownTypeException.class)
        .hasMessageContaining("'nope'")
        .hasMessageContaining("known types: known");
    assertThat(operator.value("select count(*) from readpast_job")).isEqualTo("0");
  }

  @Test
  void enqueue_with_a_used_unique_key_returns_the_live_job() {
    long id = operator.enqueued("k");
    JobIntake.Taken taken = operator.intake.enqueue(Operator.job("q", "k"));
    assertThat(taken.isNew()).isFalse();
    assertThat(taken.job().job().id()).isEqualTo(id);
  }

  @Test
  void partial_queue_change_is_announced_to_every_node() {
    operator.enqueued(null);
    operator.queues.change(
        "q", new QueueAdmin.Change(true, new QueueAdmin.NewValue(3), null, null));
    var queue = operator.queues.change("q", QueueAdmin.Change.paused(false));
    assertThat(queue.settings().paused()).isFalse();
    assertThat(queue.settings().concurrency()).isEqualTo(3);
    assertThat(operator.signals).containsExactly("changed q", "changed q");
    assertThatThrownBy(() -> operator.queues.change("nix", QueueAdmin.Change.paused(true)))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("known queues: q");
  }
}
