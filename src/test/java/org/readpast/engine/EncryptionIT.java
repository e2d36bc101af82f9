package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.stateOf;
import static org.readpast.support.TestDatabase.value;
import static org.readpast.support.TestNode.job;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.BatchControl;
import org.readpast.admin.Browser;
import org.readpast.admin.JobControl;
import org.readpast.admin.KeyRotation;
import org.readpast.admin.Overview;
import org.readpast.admin.Overview.Kind;
import org.readpast.admin.Reasons;
import org.readpast.admin.ScheduleControl;
import org.readpast.admin.store.BatchAdmin;
import org.readpast.admin.store.JobDetails;
import org.readpast.api.Backoff;
import org.readpast.api.Enqueued;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.PayloadCipher;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.RotateKeys;
import org.readpast.model.AesGcm;
import org.readpast.model.Debounce;
import org.readpast.model.Encryption;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.model.ScheduleDefinition;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestKeys;
import org.readpast.support.TestNode;

/** Tests the encryption of job data in the database. */
class EncryptionIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String SECRET = "4711-0815";
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, Backoff.FIXED, Duration.ZERO, Duration.ZERO, 0, List.of());
  private static final RetryPolicy ONCE =
      new RetryPolicy(1, Backoff.FIXED, Duration.ZERO, Duration.ZERO, 0, List.of());

  private Database database;
  private LogLines log;
  private final List<TestNode> nodes = new ArrayList<>();
  private final List<String> worked = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void makeDatabase() {
    database = TestDatabase.withTables();
    log = new LogLines("org.readpast");
  }

  @AfterEach
  void closeNodes() {
    nodes.forEach(TestNode::close);
    log.close();
  }

  /**
   * Creates a node that has not started. The node handles the type "t", and records the payloads.
   */
  private TestNode node(String... keys) {
    return node(ReceiveMode.LEASED, keys);
  }

  private TestNode node(ReceiveMode mode, String... keys) {
    TestNode node = new TestNode(database).lease(Duration.ofSeconds(2)).encrypts(keys);
    nodes.add(node);
    return node.handles(handler("t", mode, ONCE, this::noted));
  }

  private static NewJob rotation(String key) {
    return new NewJob(
        "q",
        RotateKeys.TYPE,
        9,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        "{\"key\":\"" + key + "\"}");
  }

  /** Creates a node that handles no types. */
  private TestNode producer(String... keys) {
    TestNode node = new TestNode(database).encrypts(keys);
    nodes.add(node);
    return node.start();
  }

  private static HandlerDefinition handler(
      String type, ReceiveMode mode, RetryPolicy retries, HandlerDefinition.Work work) {
    return new HandlerDefinition(
        type,
        null,
        mode,
        Duration.ofSeconds(20),
        3,
        retries,
        Set.of(),
        OnLostLease.CONTINUE,
        work,
        null);
  }

  private JobResult noted(String payload, JobContext context) {
    worked.add(payload);
    return JobResult.done();
  }

  private void stop(TestNode node) {
    node.close();
    nodes.remove(node);
  }

  private void awaitCompleted(long id) {
    Await.until(
        SOON, "job " + id + " has completed", () -> stateOf(database, id).equals("COMPLETED"));
  }

  private static JobDetails details(TestNode node, long id) {
    return Objects.requireNonNull(
        new Browser(
                node.transactions(),
                new Reasons(node.transactions(), () -> node.engine().settings()))
            .job(id));
  }

  private static JobControl control(TestNode node) {
    return new JobControl(node.transactions(), node.engine().signals(), node.audit());
  }

  /** Returns every row of every table that contains the given text. */
  private List<String> rowsWith(String text) {
    List<String> rows = new ArrayList<>();
    for (String table :
        column(
            database,
            "select table_name from information_schema.tables where table_name like 'readpast%'"
                + " and table_name <> 'readpast_encryption_key'"
                + " and table_schema = current_schema()")) {
      column(
              database,
              "select cast(t as text) from "
                  + table
                  + " t where cast(t as text) like '%"
                  + text
                  + "%'")
          .forEach(row -> rows.add(table + ": " + row));
    }
    return rows;
  }

  private static NewJob secret(String type) {
    return new NewJob(
        "q",
        type,
        4,
        null,
        null,
        null,
        null,
        null,
        "correlation",
        "{\"p\":\"" + SECRET + "\"}",
        null,
        "{\"card\":\"" + SECRET + "\"}");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void no_content_of_a_job_is_stored_unencrypted(ReceiveMode mode) {
    TestNode node = node(mode);
    node.transactions().encryptWith(new Encryption(new AesGcm(new TestKeys("k1")), true));
    node.handles(
        handler(
            "fails-once",
            mode,
            TWICE,
            (payload, context) -> {
              worked.add(payload + context.properties());
              context.log("card " + SECRET);
              if (context.attempt() == 1) {
                throw new IllegalStateException("no such card: " + SECRET);
              }
              assertThat(context.lastFailure()).endsWith("no such card: " + SECRET);
              return JobResult.done(Map.of("card", SECRET));
            }));
    node.writes(request -> secret("t"), result -> "{\"card\":\"" + SECRET + "\"}");
    node.declares(
        ScheduleDefinition.read(
            "yearly",
            Map.of("type", "t", "cron", "0 0 1 1 *", "payload", "{\"card\":\"" + SECRET + "\"}")));
    node.start();
    var batches =
        new BatchControl(node.transactions(), node.engine().signals(), j -> j, node.audit());
    batches.callback("b", BatchControl.Event.FINISH, secret("t"));
    long id = node.enqueue(secret("fails-once")).get(0).id();
    awaitCompleted(id);

    assertThat(rowsWith(SECRET)).isEmpty();
    assertThat(worked)
        .containsExactly(
            "{\"card\":\"" + SECRET + "\"}{p=" + SECRET + "}",
            "{\"card\":\"" + SECRET + "\"}{p=" + SECRET + "}");
    JobDetails details = details(node, id);
    assertThat(details.job().payload()).contains(SECRET);
    assertThat(details.job().properties()).contains(SECRET);
    assertThat(details.job().result()).contains(SECRET);
    assertThat(details.log()).hasSize(2).allMatch(line -> line.line().endsWith(SECRET));
    assertThat(Objects.requireNonNull(details.attempts().get(0).failure()))
        .satisfies(
            failure -> {
              assertThat(failure.message()).endsWith(SECRET);
              assertThat(failure.trace()).contains(SECRET);
            });
  }

  @Test
  void stored_content_names_its_key() {
    TestNode node = node("2026-11").start();
    long id = node.enqueue(job("other", "{\"a\":1}")).get(0).id();
    assertThat(value(database, "select cast(payload as text) from readpast_job where id = " + id))
        .startsWith("{\"readpast:encrypted\":\"2026-11:")
        .doesNotContain("\"a\"");
    assertThat(column(database, "select id from readpast_encryption_key"))
        .containsExactly("2026-11");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_with_a_missing_key_waits_without_attempts_until_a_node_has_the_key(ReceiveMode mode) {
    TestNode old = producer("k1");
    long id = old.enqueue(secret("t")).get(0).id();
    stop(old);

    TestNode without = node(mode, "k2").start();
    Await.until(SOON, "a warning was logged", () -> log.count("READPAST-0063") == 1);
    assertThat(log.from(Level.WARNING))
        .anyMatch(
            line -> line.contains("READPAST-0063") && line.contains("encrypted with key 'k1'"));
    Await.until(
        SOON,
        "the job has a reason",
        () ->
            details(without, id).reasons().stream()
                .anyMatch(reason -> reason.contains("encrypted with key 'k1'")));
    assertThat(new Overview(without.transactions()).report().attention())
        .contains(new Overview.Notice(Kind.UNREADABLE, "t", 0));
    assertThat(details(without, id).job().payload())
        .startsWith("{\"readpast:encrypted\":\"k1\",\"why\":\"the payload of job " + id);
    assertThat(
            count(
                database,
                "select attempt - coalesce(uncounted, 0) from readpast_job where id = " + id))
        .isZero();

    node(mode, "k2", "k1").start();
    awaitCompleted(id);
    assertThat(worked).containsExactly("{\"card\":\"" + SECRET + "\"}");
    assertThat(
            count(
                database,
                "select attempt - coalesce(uncounted, 0) from readpast_job_history where id = "
                    + id))
        .isEqualTo(1);
  }

  @Test
  void jobs_with_a_lost_key_do_not_delay_other_jobs_of_their_type() {
    TestNode old = producer("lost");
    old.enqueue(IntStream.range(0, 700).mapToObj(i -> secret("t")).toArray(NewJob[]::new));
    stop(old);
    TestNode now = node("k2").start();
    now.enqueue(IntStream.range(0, 300).mapToObj(i -> job("t", "" + i)).toArray(NewJob[]::new));
    Await.until(SOON, "the other jobs have run", () -> worked.size() == 300);
    assertThat(
            count(
                database,
                "select count(*) from readpast_job where type = 't' and payload::text like '%lost:%'"))
        .isEqualTo(700);
    assertThat(
            count(database, "select count(*) from readpast_job_history where state <> 'COMPLETED'"))
        .isZero();
    assertThat(log.count("READPAST-0063")).isEqualTo(1);
  }

  @Test
  void cipher_that_fails_for_one_job_does_not_stop_the_queue() {
    TestNode node = node("k2").start();
    node.transactions().encryptWith(new Encryption(new FailsForOtherKeys("k2"), false));
    long id = producer("k1").enqueue(secret("t")).get(0).id();
    awaitCompleted(node.enqueue("t"));
    Await.until(
        SOON,
        "the job has a reason",
        () ->
            details(node, id).reasons().stream()
                .anyMatch(reason -> reason.contains("or the cipher failed")));
    assertThat(stateOf(database, id)).isNotEqualTo("DISCARDED");
  }

  /** Simulates a cipher that asks an unavailable service for keys that it does not hold. */
  private static final class FailsForOtherKeys implements PayloadCipher {
    private final String key;
    private final PayloadCipher cipher;

    FailsForOtherKeys(String key) {
      this.key = key;
      this.cipher = new AesGcm(new TestKeys(key));
    }

    @Override
    public String currentKey() {
      return key;
    }

    @Override
    public boolean hasKey(String id) {
      if (!id.equals(key)) {
        throw new IllegalStateException("the key service is unavailable");
      }
      return true;
    }

    @Override
    public byte[] encrypt(String id, byte[] plain, byte[] additionalData) {
      return cipher.encrypt(id, plain, additionalData);
    }

    @Override
    public byte[] decrypt(String id, byte[] encrypted, byte[] additionalData) {
      return cipher.decrypt(id, encrypted, additionalData);
    }
  }

  @Test
  void different_key_with_the_same_id_is_refused_at_the_start() {
    node("k1").start();
    TestNode other = node("k1=another");
    assertThatThrownBy(other::start)
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("key 'k1' differs from the key with this id")
        .hasMessageContaining("give this application that key, or give its key another id");
    nodes.remove(other);
  }

  @Test
  void envelope_is_not_decrypted_in_another_job_or_type() {
    TestNode before = producer("k1");
    List<Enqueued> jobs =
        before.enqueue(job("t", "\"one\""), job("t", "\"two\""), job("t", "\"three\""));
    stop(before);
    database.execute(
        "update readpast_job j set payload = (select payload from readpast_job where id = %d) where id = %d"
            .formatted(jobs.get(0).id(), jobs.get(1).id()));
    database.execute("update readpast_job set type = 'u' where id = " + jobs.get(2).id());
    TestNode node = node("k1").handles(handler("u", ReceiveMode.LEASED, ONCE, this::noted));
    node.start();
    awaitCompleted(jobs.get(0).id());
    Await.until(
        SOON,
        "two attempts were refused",
        () ->
            count(
                    database,
                    "select count(distinct job_id) from readpast_failure where kind = 'UNREADABLE'")
                >= 2);
    assertThat(worked).containsExactly("\"one\"");
    assertThat(details(node, jobs.get(1).id()).reasons().get(0))
        .contains("is not what key 'k1' of this application encrypted there");
  }

  @Test
  void job_moved_to_another_type_is_decrypted() {
    TestNode node = node("k1").handles(handler("u", ReceiveMode.TRANSACTIONAL, ONCE, this::noted));
    node.transactions().encryptWith(new Encryption(new AesGcm(new TestKeys("k1")), true));
    node.start();
    long id = node.enqueue(secret("gone")).get(0).id();
    TestNode without = node("k2").start();
    assertThat(control(without).changeTypes(List.of(id), "u")).isEmpty();
    assertThat(stateOf(database, id)).isEqualTo("AVAILABLE");
    assertThat(control(node).changeTypes(List.of(id), "u")).containsExactly(Map.entry("gone", 1));
    stop(without);
    awaitCompleted(id);
    assertThat(worked).containsExactly("{\"card\":\"" + SECRET + "\"}");
    assertThat(details(node, id).job().properties()).contains(SECRET);
  }

  @Test
  void payload_that_looks_like_an_envelope_is_plain_text() {
    String tricky = "{\"readpast:encrypted\":\"k1:AAAA\"}";
    TestNode clear = node().start();
    long first = clear.enqueue(job("t", tricky)).get(0).id();
    awaitCompleted(first);
    stop(clear);
    TestNode node = node("k1").start();
    long second = node.enqueue(job("t", tricky)).get(0).id();
    awaitCompleted(second);
    assertThat(worked).extracting(String::strip).containsExactly(tricky, tricky);
  }

  @Test
  void payload_that_replaces_another_is_encrypted_for_the_waiting_job() {
    TestNode node = node("k1").start();
    Debounce debounce = new Debounce(true, Duration.ofSeconds(1), Duration.ofSeconds(2));
    List<Enqueued> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      NewJob job =
          new NewJob("q", "t", 4, null, null, null, null, "key", null, null, null, "\"" + i + "\"");
      all.addAll(node.enqueue(job.with(debounce)));
    }
    assertThat(all).extracting(Enqueued::id).containsOnly(all.get(0).id());
    awaitCompleted(all.get(0).id());
    assertThat(worked).containsExactly("\"2\"");
  }

  @Test
  void a_reset_job_gets_its_new_payload_encrypted() {
    TestNode node =
        node("k1")
            .handles(
                handler(
                    "picky",
                    ReceiveMode.LEASED,
                    ONCE,
                    (payload, context) -> {
                      if (!payload.contains("right")) {
                        throw new IllegalStateException("wrong");
                      }
                      return noted(payload, context);
                    }));
    node.start();
    long id = node.enqueue(job("picky", "\"left\"")).get(0).id();
    Await.until(SOON, () -> stateOf(database, id).equals("DISCARDED"));
    control(node).reset(id, false, "\"right " + SECRET + "\"");
    awaitCompleted(id);
    assertThat(rowsWith(SECRET)).isEmpty();
    assertThat(worked).containsExactly("\"right " + SECRET + "\"");
  }

  @Test
  void a_callback_is_enqueued_by_a_node_that_cannot_read_it() {
    TestNode owner = node("k1").start();
    var batches =
        new BatchControl(owner.transactions(), owner.engine().signals(), j -> j, owner.audit());
    batches.callback("b", BatchControl.Event.FINISH, secret("t"));
    stop(owner);
    TestNode other =
        node("k2").handles(handler("s", ReceiveMode.LEASED, ONCE, (p, c) -> JobResult.done()));
    other.start();
    other.enqueue(job("s", JobDependencies.inBatch("b", 1)));
    new BatchControl(other.transactions(), other.engine().signals(), j -> j, other.audit())
        .request(BatchAdmin.Action.SEAL, "b");
    Await.until(
        SOON,
        "the callback is enqueued",
        () -> count(database, "select count(*) from readpast_job where type = 't'") == 1);
    stop(other);
    node("k1").start();
    Await.until(SOON, () -> worked.size() == 1);
    assertThat(worked).containsExactly("{\"card\":\"" + SECRET + "\"}");
  }

  @Test
  void keys_are_rotated_under_load_and_the_old_key_can_be_removed() {
    TestNode old = node("k1").start();
    old.handles(handler("unused", ReceiveMode.LEASED, ONCE, this::noted));
    for (int i = 0; i < 30; i++) {
      old.enqueue(
          IntStream.range(0, 50).mapToObj(n -> job("t", "\"" + n + "\"")).toArray(NewJob[]::new));
    }
    NewJob[] later = new NewJob[500];
    java.util.Arrays.setAll(later, i -> job("t", 4, Duration.ofHours(1)));
    List<Enqueued> waiting = old.enqueue(later);
    TestNode both = node("k2", "k1").start();
    stop(old);
    NewJob rotate = rotation("k2");
    long rotation = both.enqueue(rotate).get(0).id();
    for (int i = 0; i < 30; i++) {
      both.enqueue(
          IntStream.range(0, 50).mapToObj(n -> job("t", "\"" + n + "\"")).toArray(NewJob[]::new));
    }
    awaitCompleted(rotation);
    Await.until(SOON, "all jobs have run", () -> worked.size() == 3_000);
    assertThat(details(both, rotation).job().result()).contains("complete=true");
    assertThat(rowsWith("k1:")).isEmpty();
    assertThat(column(database, "select id from readpast_encryption_key where retired_at is null"))
        .containsExactly("k2");
    assertThat(Objects.requireNonNull(details(both, rotation).progress()))
        .satisfies(progress -> assertThat(progress.done()).isEqualTo(progress.total()));
    stop(both);

    TestNode only = node("k2").start();
    control(only).runNow(waiting.get(0).id());
    awaitCompleted(waiting.get(0).id());
    assertThat(count(database, "select count(*) from readpast_failure")).isZero();
  }

  @Test
  void rotation_skips_and_reports_what_it_cannot_decrypt() {
    TestNode other = producer("theirs");
    long theirs = other.enqueue(secret("t")).get(0).id();
    stop(other);
    TestNode old = producer("k1");
    List<Enqueued> mine = old.enqueue(secret("t"), secret("t"));
    stop(old);
    database.execute(
        "update readpast_job j set payload = (select payload from readpast_job where id = %d) where id = %d"
            .formatted(mine.get(0).id(), mine.get(1).id()));
    TestNode both = producer("k2", "k1");
    NewJob rotate = rotation("k2");
    long rotation = both.enqueue(rotate).get(0).id();
    awaitCompleted(rotation);
    assertThat(details(both, rotation).job().result()).contains("complete=false");
    assertThat(details(both, rotation).log())
        .anyMatch(line -> line.line().contains("the payload of job " + mine.get(1).id()));
    assertThat(details(both, mine.get(0).id()).job().payload()).contains(SECRET);
    assertThat(value(database, "select payload::text from readpast_job where id = " + theirs))
        .contains("theirs:");
    assertThat(column(database, "select id from readpast_encryption_key"))
        .containsExactly("theirs", "k1", "k2");
  }

  @Test
  void node_with_another_current_key_does_not_join_a_rotation() {
    TestNode back = producer("k1", "k2");
    long job = back.enqueue(secret("t")).get(0).id();
    long rotation = back.enqueue(rotation("k2")).get(0).id();
    Await.until(
        SOON,
        "the job has a reason",
        () ->
            details(back, rotation).reasons().stream()
                .anyMatch(reason -> reason.contains("key 'k2' is not the current key")));
    TestNode forth = producer("k2", "k1");
    awaitCompleted(rotation);
    assertThat(value(database, "select payload::text from readpast_job where id = " + job))
        .contains("k2:");
    assertThat(details(forth, rotation).job().result()).contains("complete=true");
  }

  @Test
  void key_that_encrypts_again_after_its_rotation_is_found_by_the_next_rotation() {
    TestNode both = producer("k2", "k1");
    long first = both.enqueue(rotation("k2")).get(0).id();
    awaitCompleted(first);
    TestNode late = producer("k1");
    long job = late.enqueue(secret("t")).get(0).id();
    stop(late);
    assertThat(column(database, "select id from readpast_encryption_key where retired_at is null"))
        .containsExactlyInAnyOrder("k1", "k2");
    long second = both.enqueue(rotation("k2")).get(0).id();
    awaitCompleted(second);
    assertThat(value(database, "select payload::text from readpast_job where id = " + job))
        .contains("k2:");
  }

  @Test
  void a_rotation_is_not_complete_while_a_transaction_hides_a_job() throws Exception {
    TestNode both = producer("k2", "k1");
    TestNode old = producer("k1");
    var rotated = new java.util.concurrent.CompletableFuture<Long>();
    old.transactions()
        .required(
            () -> {
              old.enqueue(secret("t"));
              rotated.complete(
                  both.transactions().requiresNew(() -> both.enqueue(rotation("k2")).get(0).id()));
              long id = rotated.join();
              Await.until(
                  SOON,
                  "the rotation waits",
                  () ->
                      stateOf(database, id).equals("RUNNING")
                          && details(both, id).progress() != null);
              return true;
            });
    awaitCompleted(rotated.get());
    assertThat(details(both, rotated.get()).job().result()).contains("complete=true");
    assertThat(rowsWith("k1:")).isEmpty();
  }

  @Test
  void text_shown_for_an_encrypted_payload_is_refused_as_a_payload() {
    String shown = "{\n  \"readpast:encrypted\" : \"k1\", \"why\": \"lost\"}";
    assertThatThrownBy(() -> job("t", shown))
        .hasMessageContaining("the placeholder for a payload that cannot be decrypted");
  }

  @Test
  void schedule_whose_key_is_lost_can_be_disabled_and_keeps_its_payload() {
    TestNode owner = producer("k1");
    var schedule =
        ScheduleDefinition.read(
            "yearly",
            Map.of("type", "t", "cron", "0 0 1 1 *", "payload", "{\"card\":\"" + SECRET + "\"}"));
    database.execute("insert into readpast_type (name, max_attempts) values ('t', 5)");
    schedules(owner).define(schedule, true);
    String stored = value(database, "select payload::text from readpast_schedule");
    TestNode other = producer("k2");
    String shown = schedules(other).get("yearly").definition().payload();
    assertThat(shown).contains("\"why\"").doesNotContain(SECRET);
    assertThatThrownBy(
            () ->
                schedules(other)
                    .define(
                        ScheduleDefinition.read(
                            "yearly", Map.of("type", "t", "cron", "0 0 2 1 *", "payload", shown)),
                        true))
        .hasMessageContaining("the placeholder for a payload that cannot be decrypted");
    assertThatThrownBy(() -> schedules(other).run("yearly"))
        .hasMessageContaining("encrypted with key 'k1'");
    schedules(other).switchTo("yearly", false);
    assertThat(value(database, "select payload::text from readpast_schedule")).isEqualTo(stored);
    assertThat(value(database, "select switched from readpast_schedule")).isEqualTo("f");
  }

  private static ScheduleControl schedules(TestNode node) {
    return new ScheduleControl(
        node.transactions(),
        node.engine().enqueuer(),
        node.engine().signals(),
        defined -> {},
        node.audit());
  }

  @Test
  void jobs_that_share_a_transaction_with_an_encrypted_job_run_once() {
    TestNode lost = producer("lost");
    NewJob[] some = new NewJob[30];
    java.util.Arrays.setAll(some, i -> secret("t"));
    lost.enqueue(some);
    TestNode clear = producer();
    java.util.Arrays.setAll(some, i -> job("t", "" + i));
    clear.enqueue(some);
    node(ReceiveMode.TRANSACTIONAL, "k2").start();
    Await.until(
        SOON,
        "all readable jobs have ended",
        () ->
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'")
                == 30);
    assertThat(worked).hasSize(30);
  }

  @Test
  void a_key_that_is_still_current_on_a_live_node_does_not_stay_retired() {
    TestNode node = producer("k1");
    database.execute("update readpast_encryption_key set retired_at = clock_timestamp()");
    new KeyRotation(node.transactions(), node.engine().signals()).checkKeys();
    assertThat(column(database, "select id from readpast_encryption_key where retired_at is null"))
        .containsExactly("k1");
    KeyRotation rotation = new KeyRotation(node.transactions(), node.engine().signals());
    rotation.check();
    database.execute("update readpast_encryption_key set retired_at = clock_timestamp()");
    rotation.checkKeys();
    assertThat(column(database, "select id from readpast_encryption_key where retired_at is null"))
        .containsExactly("k1");
  }
}
