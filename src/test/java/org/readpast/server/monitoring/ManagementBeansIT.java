package org.readpast.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.LibertyServer;
import org.readpast.support.RemoteBeans;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests queues and nodes as they are shown by a server's own remote JMX. The last test undeploys an
 * application.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ManagementBeansIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String NODE = "readpast:type=Node,application=shop";
  private static final String ORDERS = "readpast:type=Queue,application=shop,name=orders";
  private static final String ORDERS_OF_WAR =
      "readpast:type=Queue,application=readpast,name=orders";

  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final ServerProcess SERVER = ServerProcess.of(Shop.server("jmx", DATABASE));
  private static final RemoteBeans BEANS = RemoteBeans.of(SERVER);
  private static final RestApi REST = Shop.admin(SERVER);

  @BeforeAll
  static void start() {
    SERVER.start();
    String first = Shop.order("a", 0, "");
    String second = Shop.order("b", 1, "");
    String later = Shop.order("c", 0, "\"delay\": \"PT1H\",");
    Shop.enqueue(REST, "[%s,%s,%s]".formatted(first, second, later));
    await(ORDERS, "Completed", "2");
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
  }

  private static void await(String bean, String attribute, String value) {
    Await.until(
        SOON,
        attribute + " = " + value + " of " + bean,
        () -> BEANS.get(bean, attribute).equals(value));
  }

  private static String administrator() {
    return SERVER instanceof LibertyServer ? RemoteBeans.LIBERTY_ADMINISTRATOR : "admin";
  }

  @Test
  @Order(1)
  void counts_match_the_work() throws Exception {
    assertThat(BEANS.get(ORDERS, "Served")).isEqualTo("true");
    assertThat(BEANS.get(ORDERS, "Received")).isEqualTo("3");
    assertThat(BEANS.get(ORDERS, "Failed")).isEqualTo("1");
    assertThat(BEANS.get(ORDERS, "Retried")).isEqualTo("1");
    assertThat(BEANS.get(ORDERS, "Discarded")).isEqualTo("0");
    assertThat(Double.parseDouble(BEANS.get(ORDERS, "RunMillis99"))).isPositive();
    await(ORDERS, "ScheduledJobs", "1");
    await(ORDERS_OF_WAR, "ScheduledJobs", "1");
    await(ORDERS, "AvailableJobs", "0");
  }

  @Test
  @Order(2)
  void every_application_has_its_own_beans() throws Exception {
    Await.until(SOON, () -> BEANS.names("readpast:*").contains(ORDERS_OF_WAR));
    assertThat(BEANS.names("readpast:type=Node,*"))
        .containsExactlyInAnyOrder(NODE, "readpast:type=Node,application=readpast");
    assertThat(BEANS.get(ORDERS_OF_WAR, "Completed")).isEqualTo("0");
    assertThat(BEANS.get(ORDERS_OF_WAR, "Enqueued")).isEqualTo("3");
    assertThat(BEANS.get(NODE, "Id"))
        .isNotEqualTo(BEANS.get(NODE.replace("shop", "readpast"), "Id"));
  }

  @Test
  @Order(3)
  void pause_and_concurrency_apply_to_all_nodes_and_are_audited() throws Exception {
    assertThat(BEANS.invoke(ORDERS, "pause")).isEmpty();
    assertThat(BEANS.set(ORDERS, "Concurrency", 3)).isEmpty();
    await(ORDERS, "Paused", "true");
    await(ORDERS_OF_WAR, "Paused", "true");
    await(ORDERS_OF_WAR, "Concurrency", "3");
    JsonObject queue = queue();
    assertThat(queue.getBoolean("paused")).isTrue();
    assertThat(queue.getInt("concurrency")).isEqualTo(3);
    assertThat(BEANS.invoke(ORDERS, "resume")).isEmpty();
    assertThat(BEANS.invoke(ORDERS, "resetConcurrency")).isEmpty();
    await(ORDERS, "Paused", "false");
    await(ORDERS, "Concurrency", "8");
    assertThat(
            TestDatabase.column(
                DATABASE,
                "select concat_ws(' ', who, action, target) from readpast_audit"
                    + " where action = 'queue.change'"))
        .hasSize(4)
        .containsOnly(administrator() + " queue.change orders");
  }

  private static JsonObject queue() {
    return REST.get("/queues").body().asJsonArray().getValuesAs(JsonObject.class).stream()
        .filter(one -> one.getString("name").equals("orders"))
        .findFirst()
        .orElseThrow();
  }

  /** Attaches a client to the process, which calls without a context class loader. */
  @Test
  @Order(4)
  void process_shows_every_attribute_to_an_attached_client() throws Exception {
    RemoteBeans attached = RemoteBeans.attachedTo(SERVER);
    assertThat(attached.all(NODE)).containsEntry("Draining", "false");
    await(ORDERS, "ScheduledJobs", "1");
    assertThat(attached.all(ORDERS))
        .containsEntry("Completed", "2")
        .containsEntry("ScheduledJobs", "1");
    assertThat(attached.set(ORDERS, "Concurrency", 2)).isEmpty();
    await(ORDERS, "Concurrency", "2");
    assertThat(attached.invoke(ORDERS, "resetConcurrency")).isEmpty();
    await(ORDERS, "Concurrency", "8");
  }

  @Test
  @Order(5)
  void value_out_of_range_is_refused_with_the_rule() throws Exception {
    assertThat(BEANS.set(ORDERS, "Concurrency", 5_000)).contains("specify 0 to 1000");
  }

  @Test
  @Order(6)
  void drained_node_takes_no_more_jobs() throws Exception {
    assertThat(BEANS.get(NODE, "Draining")).isEqualTo("false");
    String id = BEANS.get(NODE, "Id");
    assertThat(BEANS.invoke(NODE, "drain")).isEmpty();
    await(NODE, "Draining", "true");
    Await.until(
        SOON,
        () ->
            TestDatabase.column(DATABASE, "select state from readpast_node where id = '" + id + "'")
                .equals(java.util.List.of("STOPPED")));
    Await.until(SOON, () -> BEANS.invoke(NODE, "drain").contains("already been drained"));
    assertThat(
            TestDatabase.column(
                DATABASE, "select who from readpast_audit where action = 'node.drain'"))
        .containsExactly(administrator());
  }

  @Test
  @Order(7)
  void drained_war_is_ready_and_reports_that_it_is_drained() throws Exception {
    assertThat(health()).contains("draining:false");
    assertThat(BEANS.invoke(NODE.replace("shop", "readpast"), "drain")).isEmpty();
    Await.until(SOON, () -> health().contains("draining:true"));
    assertThat(SERVER.isReady()).isTrue();
  }

  private static String health() throws Exception {
    var request = HttpRequest.newBuilder(SERVER.uri("/health/ready")).timeout(SOON).build();
    return Http.CLIENT.send(request, BodyHandlers.ofString()).body().replaceAll("[\\s\"]", "");
  }

  @Test
  @Order(8)
  void undeployed_application_leaves_no_bean() throws Exception {
    SERVER.undeploy("shop");
    Await.until(SOON, () -> BEANS.names("readpast:application=shop,*").isEmpty());
    assertThat(BEANS.names("readpast:application=readpast,*")).isNotEmpty();
  }
}
