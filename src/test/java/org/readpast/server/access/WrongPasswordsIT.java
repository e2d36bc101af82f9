package org.readpast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Passwords;
import org.readpast.support.RawHttp;
import org.readpast.support.RawHttp.Answer;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests password guessing. All tests together make fewer than thirty guesses, which is the limit of
 * one address.
 */
class WrongPasswordsIT {
  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final List<String> NAMES = List.of("form", "crowd", "regular", "kept");
  private static final String RIGHT = Passwords.hash("right");
  private static final ServerProcess SERVER = ServerProcess.of(spec());

  private static ServerSpec spec() {
    ServerSpec spec =
        ServerSpec.named("guessing", DATABASE)
            .withApplication("readpast", BuildDirectories.war())
            .withAdmin("secret")
            .withProperty("readpast.users", String.join(",", NAMES));
    for (String name : NAMES) {
      spec =
          spec.withProperty("readpast.user.\"" + name + "\".password-hash", RIGHT)
              .withProperty("readpast.user.\"" + name + "\".roles", "readpast-viewer");
    }
    return spec;
  }

  @BeforeAll
  static void start() {
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    // Stopping this server, one of the first, makes the start of others faster.
    SERVER.stop();
  }

  private static Answer signIn(String name, String password) {
    return new RawHttp(SERVER)
        .with("Content-Type: application/json")
        .send(
            "POST",
            "/readpast/api/session",
            "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}");
  }

  private static Answer ask(String name, String password) {
    return new RawHttp(SERVER).as(name + ":" + password).get("/readpast/api/queues");
  }

  private static void assertWaits(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(429);
    assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.header("Retry-After").map(Integer::valueOf).orElseThrow()).isBetween(1, 60);
    assertThat(answer.body()).contains("too many wrong passwords; wait ");
  }

  /** During the delay, even the right password must get the same response. */
  @Test
  void each_attempt_after_five_wrong_passwords_is_delayed() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(signIn("form", "wrong" + i).status()).isEqualTo(401);
    }
    assertWaits(signIn("form", "right"));
    assertWaits(ask("form", "right"));
    TimeUnit.MILLISECONDS.sleep(1_100);
    assertThat(signIn("form", "wrong").status()).isEqualTo(401);
    TimeUnit.MILLISECONDS.sleep(1_100);
    assertWaits(signIn("form", "right"));
    TimeUnit.MILLISECONDS.sleep(1_100);
    assertThat(signIn("form", "right").status()).isEqualTo(200);
  }

  @Test
  void fifty_concurrent_guesses_count_as_five() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(50);
    try {
      List<Callable<Integer>> guesses =
          IntStream.range(0, 50)
              .<Callable<Integer>>mapToObj(i -> () -> signIn("crowd", "wrong" + i).status())
              .toList();
      var found =
          threads.invokeAll(guesses).stream()
              .map(WrongPasswordsIT::value)
              .collect(Collectors.groupingBy(status -> status, Collectors.counting()));
      assertThat(found.keySet()).containsOnly(401, 429);
      // After the first second, some guesses may be checked again.
      assertThat(found.get(401)).isBetween(5L, 7L);
    } finally {
      threads.shutdown();
    }
  }

  private static int value(Future<Integer> status) {
    try {
      return status.get(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** A guess from the same address does not reveal which password was right. */
  @Test
  void known_user_is_delayed_only_by_guesses_at_their_own_name() throws Exception {
    assertThat(ask("regular", "right").status()).isEqualTo(200);
    for (int i = 0; i < 5; i++) {
      signIn("regular", "wrong" + i);
    }
    assertWaits(ask("regular", "wrong"));
    assertWaits(ask("regular", "right"));
    TimeUnit.MILLISECONDS.sleep(1_100);
    assertThat(ask("regular", "right").status()).isEqualTo(200);
    assertThat(signIn("regular", "right").status()).isEqualTo(200);
  }

  @Test
  void audit_and_log_record_the_caller_and_the_outcome_without_the_password() throws Exception {
    for (int i = 0; i < 5; i++) {
      signIn("kept", "wrong" + i);
      signIn("hunter2", "wrong" + i);
    }
    TimeUnit.MILLISECONDS.sleep(Duration.ofSeconds(1).toMillis() + 100);
    assertThat(signIn("kept", "right").status()).isEqualTo(200);
    assertThat(
            TestDatabase.column(
                DATABASE,
                "select concat_ws(' ', who, action, target, detail::jsonb) from readpast_audit"
                    + " where action like 'sign-in.%' and target = 'kept'"
                    + " order by action"))
        .containsExactly(
            "(nobody) sign-in.fail kept {\"wrong\": 5, \"address\": \"127.0.0.1\"}",
            "kept sign-in.succeed kept {\"wrong\": 5, \"address\": \"127.0.0.1\"}");
    assertThat(TestDatabase.column(DATABASE, "select row_to_json(a)::text from readpast_audit a"))
        .noneMatch(row -> row.contains("hunter2"));
    assertThat(SERVER.awaitLogged("READPAST-0415 5 wrong passwords for 'kept' from 127.0.0.1"))
        .doesNotContain("hunter2");
  }
}
