package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;
import org.readpast.model.RetentionRules;
import org.readpast.store.JobEnd;

/**
 * Tests the delivery of events without a free thread, and with more events than the buffer holds.
 */
class JobEventDispatcherTest {
  private final List<Long> delivered = new ArrayList<>();
  private final List<Runnable> tasks = new ArrayList<>();
  private boolean noThread;

  private final JobEventDispatcher events =
      new JobEventDispatcher(
          new JobObservers() {
            @Override
            public List<EventFilter> filters() {
              return List.of(
                  EventFilter.in(JobState.DISCARDED),
                  new EventFilter(Set.of(), Set.of("paid", "unpaid"), Set.of("bills")));
            }

            @Override
            public void deliver(JobEvent job) {
              delivered.add(job.id());
            }
          },
          end -> EndedJobEvent.of(end, null, Map.of()),
          task -> {
            if (noThread) {
              throw new RejectedExecutionException();
            }
            tasks.add(task);
          },
          RetentionRules.ALL);

  private static List<JobEnd> jobs(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(id -> end(id)).toList();
  }

  private static JobEnd end(long id) {
    return new JobEnd(
        id, "q", "t", JobState.DISCARDED, 1, null, null, null, null, null, null, null);
  }

  private void runTasks() {
    List<Runnable> some = List.copyOf(tasks);
    tasks.clear();
    some.forEach(Runnable::run);
  }

  @Test
  void only_observed_completions_are_requested() {
    assertThat(events.wants(JobState.DISCARDED, "q", "t")).isTrue();
    assertThat(events.wants(JobState.COMPLETED, "q", "t")).isFalse();
    assertThat(events.wants(JobState.COMPLETED, "bills", "unpaid")).isTrue();
    assertThat(events.wants(JobState.EXPIRED, "bills", "paid")).isTrue();
    assertThat(events.wants(JobState.COMPLETED, "bills", "t")).isFalse();
    assertThat(events.wants(JobState.COMPLETED, "q", "paid")).isFalse();
  }

  @Test
  void one_thread_delivers_all_events_in_order() {
    events.ended(jobs(1, 2));
    events.ended(jobs(3, 3));
    assertThat(tasks).hasSize(1);
    runTasks();
    events.ended(jobs(4, 4));
    runTasks();
    assertThat(delivered).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void events_beyond_the_buffer_are_dropped_until_observers_catch_up() {
    events.ended(jobs(1, JobEventDispatcher.MOST_WAITING + 5));
    runTasks();
    assertThat(delivered)
        .hasSize(JobEventDispatcher.MOST_WAITING)
        .doesNotContain(JobEventDispatcher.MOST_WAITING + 1L);
    delivered.clear();
    events.ended(jobs(1, 3));
    runTasks();
    assertThat(delivered).containsExactly(1L, 2L, 3L);
  }

  @Test
  void events_wait_for_a_free_thread() {
    noThread = true;
    events.ended(jobs(1, 1));
    noThread = false;
    events.ended(jobs(2, 2));
    runTasks();
    assertThat(delivered).containsExactly(1L, 2L);
  }

  @Test
  void closed_dispatcher_delivers_nothing() {
    events.ended(jobs(1, 1));
    events.close(Duration.ZERO);
    runTasks();
    events.ended(jobs(2, 2));
    runTasks();
    assertThat(delivered).isEmpty();
  }
}
