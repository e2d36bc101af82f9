package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;

class TogetherTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ConcurrentLinkedQueue<Thread> callers = new ConcurrentLinkedQueue<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final ConcurrentLinkedQueue<List<Integer>> done = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private void workBehindGate(List<Integer> numbers) {
    done.add(numbers);
    first.countDown();
    await(gate);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Future<?> hand(Together<Integer> together, int number) {
    return threads.submit(
        () -> {
          callers.add(Thread.currentThread());
          together.hand(number);
        });
  }

  private void awaitWaiting(int number) {
    Await.until(
        LIMIT,
        number + " that wait",
        () ->
            callers.stream()
                    .filter(thread -> thread.getState() == Thread.State.WAITING)
                    .filter(thread -> thread != callers.peek())
                    .count()
                == number);
  }

  @Test
  void what_comes_while_one_is_at_it_is_done_together_next() throws Exception {
    Together<Integer> together = new Together<>(1, this::workBehindGate);
    List<Future<?>> all = new ArrayList<>(List.of(hand(together, 0)));
    await(first);
    IntStream.range(1, 6).forEach(number -> all.add(hand(together, number)));
    awaitWaiting(5);
    gate.countDown();
    for (Future<?> each : all) {
      each.get(10, TimeUnit.SECONDS);
    }
    assertThat(done).hasSize(2);
    assertThat(done.poll()).containsExactly(0);
    assertThat(done.poll()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
  }

  @Test
  void failure_is_thrown_where_it_was_met_and_keeps_nobody_waiting() throws Exception {
    Together<Integer> together =
        new Together<>(
            1,
            numbers -> {
              workBehindGate(numbers);
              throw new IllegalStateException("broken");
            });
    Future<?> one = hand(together, 0);
    await(first);
    Future<?> second = hand(together, 1);
    Future<?> third = hand(together, 2);
    awaitWaiting(2);
    gate.countDown();
    assertThatThrownBy(() -> one.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
    int failed = 0;
    for (Future<?> each : List.of(second, third)) {
      try {
        each.get(10, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        failed++;
      }
    }
    assertThat(failed).isOne();
    assertThatThrownBy(() -> together.hand(3)).hasMessage("broken");
  }

  @Test
  void interrupt_is_kept_until_what_was_handed_in_is_done() throws Exception {
    Together<Integer> together = new Together<>(1, this::workBehindGate);
    Future<?> one = hand(together, 0);
    await(first);
    Future<Boolean> second =
        threads.submit(
            () -> {
              callers.add(Thread.currentThread());
              together.hand(1);
              return Thread.interrupted();
            });
    awaitWaiting(1);
    callers.stream().skip(1).forEach(Thread::interrupt);
    gate.countDown();
    one.get(10, TimeUnit.SECONDS);
    assertThat(second.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(done.stream().flatMap(List::stream)).containsExactly(0, 1);
  }

  @Test
  void each_is_done_once_before_its_caller_goes_on_and_by_so_many_at_a_time() throws Exception {
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Set<Integer> through = ConcurrentHashMap.newKeySet();
    Together<Integer> together =
        new Together<>(
            2,
            numbers -> {
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              LockSupport.parkNanos(50_000);
              done.add(numbers);
              through.addAll(numbers);
              underWay.decrementAndGet();
            });
    List<Future<?>> all =
        IntStream.range(0, 8)
            .<Future<?>>mapToObj(
                thread ->
                    threads.submit(
                        () -> {
                          for (int i = 0; i < 2_000; i++) {
                            together.hand(thread * 2_000 + i);
                            assertThat(through.contains(thread * 2_000 + i)).isTrue();
                          }
                        }))
            .toList();
    for (Future<?> each : all) {
      each.get(30, TimeUnit.SECONDS);
    }
    assertThat(done.stream().flatMap(List::stream).sorted())
        .containsExactlyElementsOf(IntStream.range(0, 16_000).boxed().toList());
    assertThat(most.get()).isLessThanOrEqualTo(2);
  }
}
