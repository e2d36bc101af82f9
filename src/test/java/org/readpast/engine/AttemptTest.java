package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.readpast.api.OnLostLease;
import org.readpast.support.Await;
import org.readpast.support.ClaimedJobs;

class AttemptTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final List<Integer> sessions = new ArrayList<>();
  private final Attempt attempt =
      new Attempt(
          ClaimedJobs.leased(1, "q", "t", 1),
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
