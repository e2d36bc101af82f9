package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReceiveMode;
import org.readpast.database.Outage;
import org.readpast.dependency.QueueLane;
import org.readpast.model.Owner;
import org.readpast.model.RetentionRules;
import org.readpast.model.RetryPolicy;
import org.readpast.store.Nodes.QueueRow;

/**
 * Tests which queues get a receiver. The receivers skip the only job type, so they claim no jobs
 * and need no database.
 */
class DispatcherTest {
  private static final String TYPE = "t";
  private static final Owner OWNER = new Owner("test", "test");
  private static final int WORKERS = 2;

  private final Queue<Runnable> started = new ConcurrentLinkedQueue<>();
  private final Counters counters = new Counters();
  private final Dispatcher dispatcher =
      new Dispatcher(context(settings()), started::add, new Watermark());

  private static Settings settings() {
    return new Settings(
        OWNER,
        "test",
        "test",
        true,
        List.of(),
        WORKERS,
        4,
        1,
        Duration.ofMinutes(1),
        Duration.ofMinutes(1),
        Duration.ofMinutes(1),
        Duration.ofMinutes(1),
        false,
        new RetentionRules(Map.of(), Map.of(), Map.of(), Set.of()),
        Duration.ofDays(1),
        Duration.ofDays(1),
        Map.of(),
        Settings.ConfiguredTypeLimits.NONE);
  }

  private static HandlerDefinition handler() {
    return new HandlerDefinition(
        TYPE,
        null,
        ReceiveMode.LEASED,
        Duration.ofSeconds(1),
        1,
        RetryPolicy.DEFAULT,
        Set.of(),
        OnLostLease.CONTINUE,
        (payload, context) -> JobResult.done(),
        null);
  }

  private EngineContext context(Settings settings) {
    PayloadBudget budget = new PayloadBudget(1);
    return new EngineContext(
        settings,
        null,
        null,
        null,
        null,
        null,
        new HandlerRegistry(List.of(handler()), settings),
        new NodeState(new Outage("test", "test"), Duration.ofDays(1)),
        new ActiveJobs(budget),
        budget,
        new TypeSpeeds(type -> 1),
        new TypeLimits(settings.typeLimits()),
        new CrashIsolation(),
        null,
        null,
        counters,
        null,
        null,
        ids -> {});
  }

  private static QueueRow queue(String name, boolean paused, Integer concurrency, Integer limit) {
    return new QueueRow(name, paused, concurrency, null, limit, null, false);
  }

  private void set(QueueRow... rows) {
    dispatcher.setQueues(List.of(rows));
  }

  /** Makes receivers of a queue skip the type for the rest of the test. */
  private void skipType(String queue) {
    dispatcher.served(queue).cursors().skip(TYPE, System.nanoTime() + Long.MAX_VALUE / 2);
  }

  private int receivers(String queue) {
    return dispatcher.served(queue).slots().receivers();
  }

  private void runOne() {
    started.remove().run();
  }

  @Test
  void free_worker_serves_the_next_waiting_queue_if_the_first_was_paused() {
    List<QueueRow> rows = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d")) {
      rows.add(queue(name, false, 1, null));
      set(rows.toArray(QueueRow[]::new));
      skipType(name);
    }
    assertThat(started).as("receivers of the first two queues").hasSize(WORKERS);
    set(queue("c", true, 1, null));

    runOne();
    assertThat(receivers("c")).isZero();
    assertThat(receivers("d")).isEqualTo(1);
  }

  @Test
  void queue_keeps_a_receiver_when_two_leave_because_its_limit_was_lowered() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    try {
      for (int round = 0; round < 200; round++) {
        set(queue("a", false, 2, 2));
        skipType("a");
        dispatcher.signal("a");
        long scans = counters.of("a").emptyReceives.sum();
        set(queue("a", false, 2, 1));
        AtomicInteger waiting = new AtomicInteger(started.size());
        assertThat(waiting).as("receivers").hasValue(2);
        Runnable receive =
            () -> {
              Runnable receiver = started.remove();
              waiting.decrementAndGet();
              while (waiting.get() > 0) {
                Thread.onSpinWait();
              }
              receiver.run();
            };
        Future<?> first = threads.submit(receive);
        Future<?> second = threads.submit(receive);
        first.get(20, TimeUnit.SECONDS);
        second.get(20, TimeUnit.SECONDS);
        while (!started.isEmpty()) {
          runOne();
        }
        assertThat(counters.of("a").emptyReceives.sum()).as("scans").isGreaterThan(scans);
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void job_of_a_type_that_is_skipped_as_unreadable_is_left_to_other_nodes() {
    set(queue("a", false, 4, null));
    skipType("a");
    runOne();
    QueueLane lane = new QueueLane("a", TYPE, 4);
    assertThat(dispatcher.signal(lane, 1)).isFalse();
    dispatcher.served("a").cursors().skip(TYPE, System.nanoTime());
    assertThat(dispatcher.signal(lane, 1)).isTrue();
  }
}
