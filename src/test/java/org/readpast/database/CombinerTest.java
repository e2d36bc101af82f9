package org.readpast.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;

class CombinerTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ConcurrentLinkedQueue<Thread> callers = new ConcurrentLinkedQueue<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final ConcurrentLinkedQueue<List<Integer>> done = new ConcurrentLinkedQueue<>();

  /** Holds the thread that executes a batch; it is not the first caller if another was faster. */
  private volatile Thread working;

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private void workBehindGate(List<Integer> numbers) {
    working = Thread.currentThread();
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

  private Future<?> hand(Combiner<Integer> together, int number) {
    return threads.submit(
        () -> {
          callers.add(Thread.currentThread());
          together.submit(number);
        });
  }

  private void awaitWaiting(int number) {
    Await.until(
        LIMIT,
        number + " threads wait",
        () ->
            callers.stream()
                    .distinct()
                    .filter(thread -> thread.getState() == Thread.State.WAITING)
                    .filter(thread -> thread != working)
                    .count()
                == number);
  }

  @Test
  void submissions_during_a_batch_form_the_next_batch() throws Exception {
    Combiner<Integer> together = new Combiner<>(Duration.ZERO, this::workBehindGate);
    List<Future<?>> all = new ArrayList<>(List.of(hand(together, 0)));
    await(first);
    IntStream.range(1, 6).forEach(number -> all.add(hand(together, number)));
    awaitWaiting(5);
    gate.countDown();
    awaitAll(all);
    assertThat(done).hasSize(2);
    assertThat(done.poll()).containsExactly(0);
    assertThat(done.poll()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
  }

  @Test
  void failure_is_thrown_by_the_executing_thread_and_releases_all_callers() throws Exception {
    Combiner<Integer> together =
        new Combiner<>(
            Duration.ZERO,
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
    assertThatThrownBy(() -> together.submit(3)).hasMessage("broken");
  }

  @Test
  void interrupt_takes_effect_after_the_submission() throws Exception {
    Combiner<Integer> together = new Combiner<>(Duration.ZERO, this::workBehindGate);
    Future<?> one = hand(together, 0);
    await(first);
    Future<Boolean> second =
        threads.submit(
            () -> {
              callers.add(Thread.currentThread());
              together.submit(1);
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
  void each_submission_is_executed_once_before_its_caller_returns() throws Exception {
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Set<Integer> through = ConcurrentHashMap.newKeySet();
    Combiner<Integer> together =
        new Combiner<>(
            Duration.ofNanos(50_000),
            numbers -> {
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              LockSupport.parkNanos(50_000);
              done.add(numbers);
              through.addAll(numbers);
              underWay.decrementAndGet();
            });
    awaitAll(
        handAll(
            8,
            2_000,
            number -> {
              together.submit(number);
              assertThat(through.contains(number)).isTrue();
            }));
    assertThat(done.stream().flatMap(List::stream).sorted())
        .containsExactlyElementsOf(IntStream.range(0, 16_000).boxed().toList());
    assertThat(most.get()).isOne();
  }

  @Test
  void batch_waits_for_callers_that_submit_again_immediately() throws Exception {
    Combiner<Integer> together = new Combiner<>(Duration.ofSeconds(2), this::workBehindGate);
    List<Future<?>> all = handAll(4, 50, together::submit);
    await(first);
    awaitWaiting(3);
    gate.countDown();
    awaitAll(all);
    // The assertion covers the time from the arrival of all submitters until the first of them has
    // nothing left to submit.
    assertThat(done.stream().map(List::size).skip(3).limit(45)).hasSize(45).containsOnly(4);
  }

  @Test
  void single_caller_does_not_wait() {
    Combiner<Integer> together = new Combiner<>(Duration.ofHours(1), done::add);
    assertTimeoutPreemptively(LIMIT, () -> IntStream.range(0, 1_000).forEach(together::submit));
    assertThat(done).hasSize(1_000);
  }

  @Test
  void next_batch_does_not_wait_after_a_wait_without_effect() throws Exception {
    Duration patience = Duration.ofSeconds(2);
    Semaphore begun = new Semaphore(0);
    Semaphore go = new Semaphore(0);
    Combiner<Integer> together =
        new Combiner<>(
            patience,
            numbers -> {
              working = Thread.currentThread();
              done.add(numbers);
              begun.release();
              go.acquireUninterruptibly();
            });
    hand(together, 0);
    begun.acquire();
    hand(together, 1);
    awaitWaiting(1);
    go.release();
    // Waits for another submission, which does not arrive.
    assertThat(begun.tryAcquire(patience.toMillis() / 2, TimeUnit.MILLISECONDS)).isFalse();
    begun.acquire();
    hand(together, 2);
    awaitWaiting(1);
    go.release();
    assertThat(begun.tryAcquire(patience.toMillis() / 2, TimeUnit.MILLISECONDS)).isTrue();
    go.release();
    assertThat(done).containsExactly(List.of(0), List.of(1), List.of(2));
  }

  private static void awaitAll(List<Future<?>> all) throws Exception {
    for (Future<?> one : all) {
      one.get(30, TimeUnit.SECONDS);
    }
  }

  private List<Future<?>> handAll(int number, int each, IntConsumer hand) {
    return IntStream.range(0, number)
        .<Future<?>>mapToObj(
            caller ->
                threads.submit(
                    () -> {
                      callers.add(Thread.currentThread());
                      IntStream.range(caller * each, (caller + 1) * each).forEach(hand);
                    }))
        .toList();
  }
}
