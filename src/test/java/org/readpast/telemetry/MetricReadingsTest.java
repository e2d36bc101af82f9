package org.readpast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.QueueView;
import org.readpast.api.JobState;
import org.readpast.store.Nodes.QueueRow;

class MetricReadingsTest {
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final AtomicInteger looks = new AtomicInteger();
  private volatile long nanos = Long.MAX_VALUE - 1;
  private volatile Supplier<List<QueueView>> database = () -> available(7);
  private final MetricReadings readings =
      new MetricReadings(
          List::of,
          List::of,
          Map::of,
          () -> {
            looks.incrementAndGet();
            return database.get();
          },
          pool::execute,
          () -> nanos);
  private final ManagedQueue queue = new ManagedQueue("q", readings, null);

  @AfterEach
  void close() {
    pool.shutdownNow();
  }

  @Test
  void one_query_serves_all_readers_for_some_seconds() {
    assertThat(queue.getAvailableJobs()).isEqualTo(7);
    database = () -> available(8);
    pass(Duration.ofSeconds(4));
    assertThat(queue.getAvailableJobs()).isEqualTo(7);
    assertThat(looks).hasValue(1);
    pass(Duration.ofSeconds(2));
    assertThat(queue.getAvailableJobs()).isEqualTo(8);
  }

  @Test
  void depths_are_unknown_while_the_database_is_unavailable() {
    assertThat(queue.getAvailableJobs()).isEqualTo(7);
    database =
        () -> {
          throw new IllegalStateException("no database");
        };
    pass(Duration.ofSeconds(6));
    assertThat(queue.getAvailableJobs()).isEqualTo(-1);
    assertThat(queue.getOldestAvailableSeconds()).isEqualTo(-1);
    database = () -> available(9);
    pass(Duration.ofSeconds(6));
    assertThat(queue.getAvailableJobs()).isEqualTo(9);
  }

  @Test
  void readers_wait_for_a_slow_database_once_and_use_its_late_response() throws Exception {
    assertThat(queue.getAvailableJobs()).isEqualTo(7);
    CountDownLatch slow = new CountDownLatch(1);
    database =
        () -> {
          try {
            slow.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return available(10);
        };
    pass(Duration.ofSeconds(6));
    assertThat(queue.getAvailableJobs()).isEqualTo(-1);
    long begun = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      assertThat(queue.getAvailableJobs()).isEqualTo(-1);
    }
    // If each of a hundred queries waited for a second, all of them would take a hundred seconds.
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(50));
    assertThat(looks).hasValue(2);
    pass(Duration.ofSeconds(6));
    slow.countDown();
    assertThat(queue.getAvailableJobs()).isEqualTo(10);
    assertThat(looks).hasValue(2);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private static List<QueueView> available(long number) {
    return List.of(
        new QueueView(
            new QueueRow("q", false, null, null, null, null, true),
            Map.of(JobState.AVAILABLE, number),
            Set.of(),
            Map.of()));
  }
}
