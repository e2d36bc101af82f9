package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.readpast.api.Backoff;
import org.readpast.api.FailNowException;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReceiveMode;
import org.readpast.model.Outcome;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.ClaimedJobFactory;

class AttemptTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final List<Integer> sessions = new ArrayList<>();
  private final Attempt attempt =
      new Attempt(
          ClaimedJobFactory.leased(1, "q", "t", 1),
          Map.of(),
          Duration.ofMillis(1),
          3,
          true,
          OnLostLease.CONTINUE,
          null,
          unused());

  private static Attempt.Reporter unused() {
    return (Attempt.Reporter)
        Proxy.newProxyInstance(
            AttemptTest.class.getClassLoader(),
            new Class<?>[] {Attempt.Reporter.class},
            (proxy, method, arguments) -> {
              throw new AssertionError(method);
            });
  }

  @Test
  void step_of_repeated_cancellations_is_started_again_only_after_it_has_run() {
    List<Runnable> started = new ArrayList<>();
    List<String> steps = new ArrayList<>();
    Attempt cancelled = attempt(started);
    cancelled.requestCancellation();
    assertThat(started).isEmpty();
    cancelled.onInterrupt(() -> steps.add("cancelled"));
    for (int i = 0; i < 3; i++) {
      cancelled.requestCancellation();
    }
    assertThat(started).hasSize(1);
    started.get(0).run();
    cancelled.requestCancellation();
    assertThat(started).hasSize(2);
    cancelled.onInterrupt(null);
    started.get(1).run();
    assertThat(steps).containsExactly("cancelled");
  }

  private static Attempt attempt(List<Runnable> started) {
    Attempt.Reporter reporter =
        (Attempt.Reporter)
            Proxy.newProxyInstance(
                AttemptTest.class.getClassLoader(),
                new Class<?>[] {Attempt.Reporter.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("start")) {
                    started.add((Runnable) arguments[0]);
                    return null;
                  }
                  Instrumentation.Observation unobserved = outcome -> {};
                  return unobserved;
                });
    return new Attempt(
        ClaimedJobFactory.leased(1, "q", "t", 1),
        Map.of(),
        Duration.ofMinutes(1),
        3,
        false,
        OnLostLease.CONTINUE,
        null,
        reporter);
  }

  private static Outcome outcomeOfOutage(RuntimeException thrown) {
    RetryPolicy policy =
        new RetryPolicy(
            3,
            Backoff.FIXED,
            Duration.ofMillis(50),
            Duration.ofSeconds(1),
            0,
            List.of(UnsupportedOperationException.class.getName()));
    return HandlerInvoker.run(
        attempt(new ArrayList<>()),
        new HandlerDefinition(
            "t",
            null,
            ReceiveMode.LEASED,
            Duration.ofMinutes(1),
            1,
            policy,
            Set.of(),
            OnLostLease.CONTINUE,
            (payload, context) -> {
              throw thrown;
            },
            null),
        any -> true);
  }

  @Test
  void leased_handler_decides_during_an_outage_that_its_job_is_not_retried() {
    assertThat(outcomeOfOutage(new FailNowException("state unknown")))
        .isInstanceOf(Outcome.Discarded.class);
    assertThat(outcomeOfOutage(new UnsupportedOperationException()))
        .isInstanceOf(Outcome.Discarded.class);
    assertThat(outcomeOfOutage(new IllegalStateException())).isInstanceOf(Outcome.Fault.class);
  }

  @Test
  void handler_that_returns_while_its_session_is_ended_keeps_the_session_until_then()
      throws Exception {
    CountDownLatch ending = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    attempt.setBackend(42);
    assertThat(attempt.abandon()).isTrue();
    Thread watch =
        new Thread(
            () ->
                attempt.withSession(
                    session -> {
                      ending.countDown();
                      awaitUninterruptibly(ended);
                      sessions.add(session);
                    }));
    watch.start();
    assertThat(ending.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(attempt.interrupt(Attempt.StopReason.OWNER_LOST)).isFalse();
    assertThat(attempt.abandon()).isFalse();
    Thread handler =
        new Thread(
            () -> {
              attempt.finish();
              sessions.add(0);
            });
    handler.start();
    Await.until(SOON, "the handler waits", () -> handler.getState() == Thread.State.BLOCKED);
    ended.countDown();
    watch.join();
    handler.join();
    assertThat(sessions).containsExactly(42, 0);
  }

  @Test
  void session_of_an_ended_attempt_is_not_terminated() {
    attempt.setBackend(42);
    attempt.finish();
    attempt.withSession(sessions::add);
    assertThat(sessions).isEmpty();
    assertThat(attempt.abandon()).isFalse();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
