package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;

class IdempotentRequestsIT {
  private final Operator operator = new Operator();
  private final IdempotentRequests requests = new IdempotentRequests(operator.transactions);
  private final AtomicInteger done = new AtomicInteger();

  @AfterEach
  void leave() {
    operator.close();
  }

  private String once(String principal, String key, String fingerprint) {
    return requests.once(
        principal,
        key,
        fingerprint,
        QueueAccess.EVERYTHING,
        () -> "answer " + done.incrementAndGet());
  }

  @Test
  void repeated_request_returns_the_first_response() {
    assertThat(once("p", "k", "f")).isEqualTo("answer 1");
    assertThat(once("p", "k", "f")).isEqualTo("answer 1");
    assertThat(done).hasValue(1);
  }

  @Test
  void idempotency_keys_are_separate_for_each_caller() {
    once("p", "k", "f");
    assertThat(once("other", "k", "f")).isEqualTo("answer 2");
  }

  @Test
  void response_is_not_replayed_to_a_caller_that_lost_a_role() {
    QueueAccess before = access(Role.VIEWER, Role.OPERATOR);
    assertThat(once(before)).isEqualTo("answer 1");

    assertThat(once(before)).isEqualTo("answer 1");
    assertThat(once(access(Role.VIEWER, Role.ADMIN))).isEqualTo("answer 1");
    assertThat(once(QueueAccess.EVERYTHING)).isEqualTo("answer 1");
    for (QueueAccess less :
        List.of(
            access(Role.VIEWER, Role.VIEWER),
            access(Role.NONE, Role.OPERATOR),
            new QueueAccess(Role.VIEWER, Map.of("payroll", Role.OPERATOR, "new", Role.NONE)))) {
      assertThatThrownBy(() -> once(less))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("'k'");
    }
    operator.database.execute("update readpast_idempotency set access = null");
    assertThat(once(access(Role.NONE, Role.NONE))).isEqualTo("answer 1");
    assertThat(done).hasValue(1);
  }

  private static QueueAccess access(Role others, Role payroll) {
    return new QueueAccess(others, Map.of("payroll", payroll));
  }

  private String once(QueueAccess access) {
    return requests.once("p", "k", "f", access, () -> "answer " + done.incrementAndGet());
  }

  @Test
  void reuse_of_a_key_for_another_request_is_refused() {
    once("p", "k", "f");
    assertThatThrownBy(() -> once("p", "k", "g"))
        .isInstanceOf(KeyReusedException.class)
        .hasMessageContaining("'k'");
  }

  @Test
  void failed_request_leaves_its_key_unused() {
    assertThatThrownBy(
            () ->
                requests.once(
                    "p",
                    "k",
                    "f",
                    QueueAccess.EVERYTHING,
                    () -> {
                      throw new IllegalStateException("planted");
                    }))
        .hasMessageContaining("planted");
    assertThat(once("p", "k", "g")).isEqualTo("answer 1");
  }

  @Test
  void response_is_kept_for_one_day() {
    once("p", "k", "f");
    operator.database.execute(
        "update readpast_idempotency set created_at = created_at - interval '25 hours'");
    assertThat(once("p", "k", "g")).isEqualTo("answer 2");
    assertThat(once("p", "k", "g")).isEqualTo("answer 2");
  }

  @Test
  void concurrent_requests_with_one_key_execute_once() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Callable<String> request = () -> once("p", "k", "f");
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        answers.add(threads.submit(request));
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get()).isEqualTo("answer 1");
      }
    } finally {
      threads.shutdown();
    }
    assertThat(done).hasValue(1);
  }
}
