package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestNode.job;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReceiveMode;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests what an application logs at its start about the types that nodes have registered. */
class TypeRegistryIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  private Database database;
  private LogLines log;
  private final List<TestNode> nodes = new ArrayList<>();

  @BeforeEach
  void makeDatabase() {
    database = TestDatabase.withTables();
    log = new LogLines("org.readpast.engine");
  }

  @AfterEach
  void closeNodes() {
    nodes.forEach(TestNode::close);
    log.close();
  }

  private static HandlerDefinition handler(String type, @Nullable String shape) {
    return new HandlerDefinition(
        type,
        shape,
        ReceiveMode.LEASED,
        SOON,
        1,
        RetryPolicy.DEFAULT,
        Set.of(),
        OnLostLease.CONTINUE,
        (payload, context) -> JobResult.done(),
        null);
  }

  /** Starts a node, and waits until it has compared its types. */
  private TestNode start(String application, HandlerDefinition... handlers) {
    long before = log.count("has compared its job types");
    TestNode node = new TestNode(database).named(application, application + "@host");
    for (HandlerDefinition handler : handlers) {
      node.handles(handler);
    }
    nodes.add(node);
    node.start();
    Await.until(SOON, () -> log.count("has compared its job types") > before);
    return node;
  }

  private void stop(TestNode node) {
    node.close();
    nodes.remove(node);
  }

  private List<String> warnings() {
    return log.from(Level.WARNING);
  }

  @Test
  void applications_that_declare_one_type_differently_are_named() {
    start("shop", handler("send", "{to: text}"), handler("same", "{a: text}"));
    start("bank", handler("send", "{iban: text}"), handler("same", "{a: text}"));
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains(
            "READPAST-0036 applications 'bank' and 'shop' handle the same job type 'send' with"
                + " different payloads, {iban: text} and {to: text}");
  }

  @Test
  void different_declarations_of_one_application_are_an_upgrade() {
    start("shop", handler("send", "{to: text}"));
    start("shop", handler("send", "{iban: text}"));
    assertThat(warnings()).isEmpty();
  }

  @Test
  void jobs_of_a_removed_handler_are_reported_at_the_start() {
    TestNode before = start("shop", handler("gone", "{a: text}"), handler("unused", "{a: text}"));
    for (int i = 0; i < 3; i++) {
      before.enqueue(job("gone", 4, Duration.ofHours(1)));
    }
    stop(before);
    start("bank", handler("other", null));
    assertThat(warnings()).isEmpty();
    TestNode after = start("shop", handler("stays", "{a: text}"));
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("READPAST-0035 jobs wait that application 'shop'", "3 of type 'gone'")
        .doesNotContain("unused");

    stop(after);
    database.execute("delete from readpast_job");
    start("shop", handler("stays", "{a: text}"));
    assertThat(warnings()).hasSize(1);
    assertThat(
            count(
                database, "select count(*) from readpast_registration where application = 'shop'"))
        .isEqualTo(1);
  }

  @Test
  void jobs_that_a_live_node_handles_are_not_reported() {
    start("shop", handler("send", "{a: text}")).enqueue(job("send", 4, Duration.ofHours(1)));
    start("shop", handler("other", "{a: text}"));
    assertThat(warnings()).isEmpty();
  }

  @Test
  void earlier_calls_with_other_arguments_are_counted() {
    TestNode before = start("shop", handler("Mailer.send", "[text, number]"));
    before.enqueue(job("Mailer.send", 4, Duration.ofHours(1)));
    stop(before);
    TestNode after = start("shop", handler("Mailer.send", "[text]"));
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains(
            "1 of type 'Mailer.send' that were enqueued with arguments [text, number], while the"
                + " method now takes [text]");
    database.execute("delete from readpast_job");
    after.enqueue(job("Mailer.send", 4, Duration.ofHours(1)));
    stop(after);
    start("shop", handler("Mailer.send", "[text]"));
    assertThat(warnings()).hasSize(1);
  }

  @Test
  void registrations_do_not_grow_with_restarts() {
    for (int i = 0; i < 3; i++) {
      stop(start("shop", handler("send", "{a: text}")));
    }
    start("shop", handler("send", "{a: text}"));
    assertThat(count(database, "select count(*) from readpast_registration")).isEqualTo(1);
  }
}
