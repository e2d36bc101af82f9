package org.readpast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.admin.NodeControl;
import org.readpast.admin.Overview;
import org.readpast.admin.QueueControl;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.Threads;
import org.readpast.model.NewJob;
import org.readpast.model.Owner;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests the JMX beans of two engines in one JVM. */
class ManagementIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Owner SHOP = new Owner("shop", "shop");
  private static final Owner ODD = new Owner("a,b=\"c\"*?", "a,b=\"c\"*?");

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final Database database = TestDatabase.withTables();
  private final TestNode first = new TestNode(database).lease(Duration.ofSeconds(2));
  private final TestNode second = new TestNode(database).lease(Duration.ofSeconds(2));
  private final java.util.concurrent.ExecutorService pool = Executors.newCachedThreadPool();
  private Management ofFirst;
  private Management ofSecond;

  @BeforeEach
  void start() {
    first.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    second.start();
    first.enqueue("t");
    ofFirst = management(first, SHOP);
    ofSecond = management(second, ODD);
    Await.until(
        SOON,
        () -> {
          ofFirst.update();
          ofSecond.update();
          return names().size() == 5;
        });
  }

  @AfterEach
  void end() {
    ofFirst.stop();
    ofSecond.stop();
    first.close();
    second.close();
    pool.shutdown();
  }

  private Management management(TestNode node, Owner owner) {
    Threads threads = pool::execute;
    var overview = new Overview(node.transactions());
    return new Management(
        node.engine(),
        owner,
        new MetricReadings(
            node.engine()::figures,
            node.engine()::typeFigures,
            node.engine()::typeLimits,
            overview::depths,
            threads,
            System::nanoTime),
        new JmxOperations(
            new QueueControl(node.transactions(), node.engine().signals(), node.audit()),
            new NodeControl(node.transactions(), node.audit()),
            node.audit(),
            threads),
        "payroll"::equals);
  }

  private Set<String> names() {
    try {
      return server.queryNames(new ObjectName("readpast:*"), null).stream()
          .map(ObjectName::toString)
          .collect(Collectors.toSet());
    } catch (javax.management.MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectName queue(Owner owner) throws Exception {
    return Management.name(owner, false, "Queue", "q");
  }

  @Test
  void applications_with_similar_names_are_distinguished() {
    assertThat(names())
        .containsExactlyInAnyOrder(
            "readpast:type=Node,application=shop",
            "readpast:type=Queue,application=shop,name=q",
            "readpast:type=JobType,application=shop,name=t",
            "readpast:type=Node,application=\"a,b=\\\"c\\\"\\*\\?\"",
            "readpast:type=Queue,application=\"a,b=\\\"c\\\"\\*\\?\",name=q");
  }

  @ParameterizedTest
  @CsvSource({
    "ear, one.war, 'application=ear,module=one.war'",
    "'x:y', 'x:y', 'application=\"x:y\",module=\"x:y\"'",
    "'two words', 'two words', 'application=two words,module=two words'",
    "'', '', 'application=\"\",module=\"\"'"
  })
  void names_are_quoted_where_required(String application, String module, String name)
      throws Exception {
    assertThat(Management.name(new Owner(application, module), true, "Node", "").toString())
        .isEqualTo("readpast:type=Node," + name);
  }

  @Test
  void second_module_of_an_application_has_its_own_beans() {
    Management other = management(second, new Owner("shop", "other"));
    other.update();
    assertThat(names())
        .hasSize(7)
        .contains(
            "readpast:type=Node,application=shop,module=other",
            "readpast:type=Queue,application=shop,module=other,name=q");
    other.stop();
    assertThat(names()).hasSize(5);
  }

  @Test
  void restricted_queue_has_no_jmx_bean() {
    for (String queue : List.of("payroll", "open")) {
      first.enqueue(
          new NewJob(queue, "t", 4, null, null, null, null, null, null, null, null, "{}"));
    }
    Await.until(
        SOON,
        () -> {
          ofFirst.update();
          return names().contains("readpast:type=Queue,application=shop,name=open");
        });
    assertThat(names()).noneMatch(name -> name.contains("payroll"));
  }

  @Test
  void counts_come_from_the_engine_and_depths_from_the_database() throws Exception {
    Await.until(SOON, () -> server.getAttribute(queue(SHOP), "Completed").equals(1L));
    first.enqueue(TestNode.job("nobody"));
    first.enqueue(TestNode.job("t", 4, Duration.ofHours(1)));
    Await.until(SOON, () -> server.getAttribute(queue(ODD), "AvailableJobs").equals(1L));
    assertThat(server.getAttribute(queue(ODD), "ScheduledJobs")).isEqualTo(1L);
    assertThat((double) server.getAttribute(queue(ODD), "OldestAvailableSeconds"))
        .isBetween(0.001, 20.0);
    assertThat(server.getAttribute(queue(ODD), "Completed")).isEqualTo(0L);
    assertThat(server.getAttribute(queue(ODD), "Served")).isEqualTo(false);
    assertThat((double) server.getAttribute(queue(SHOP), "WaitMillis99")).isPositive();
    assertThat(server.getAttribute(Management.name(SHOP, false, "Node", ""), "Workers"))
        .isEqualTo(16);
  }

  @Test
  void application_has_a_jmx_bean_for_each_type_that_it_enqueues_or_runs() throws Exception {
    ObjectName type = Management.name(SHOP, false, "JobType", "t");
    Await.until(SOON, () -> server.getAttribute(type, "Completed").equals(1L));
    assertThat(server.getAttribute(type, "Enqueued")).isEqualTo(1L);
    assertThat(server.getAttribute(type, "Discarded")).isEqualTo(0L);
    assertThat((double) server.getAttribute(type, "RunMillis99")).isPositive();
  }

  @Test
  void bean_runs_with_the_class_loader_of_the_application() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    var seen = new java.util.ArrayList<ClassLoader>();
    MetricReadings recording =
        new MetricReadings(
            () -> {
              seen.add(thread.getContextClassLoader());
              return first.engine().figures();
            },
            List::of,
            Map::of,
            List::of,
            pool::execute,
            System::nanoTime);
    QueueMXBean bean =
        ApplicationContext.around(QueueMXBean.class, new ManagedQueue("q", recording, null));
    thread.setContextClassLoader(null);
    try {
      assertThat(bean.getName()).isEqualTo("q");
      assertThat(bean.isServed()).isTrue();
      assertThat(thread.getContextClassLoader()).isNull();
    } finally {
      thread.setContextClassLoader(before);
    }
    assertThat(seen).containsExactly(ManagedQueue.class.getClassLoader());
  }

  @Test
  void valid_change_is_audited_and_invalid_change_is_refused() throws Exception {
    assertThatThrownBy(() -> server.setAttribute(queue(SHOP), new Attribute("Concurrency", 1_001)))
        .isInstanceOf(RuntimeMBeanException.class)
        .hasRootCauseMessage(
            "concurrency is 1001; specify 0 to 1000, or call resetConcurrency to restore the"
                + " configured value");
    server.setAttribute(queue(SHOP), new Attribute("Concurrency", 2));
    server.invoke(queue(ODD), "pause", null, null);
    Await.until(
        SOON,
        () ->
            server.getAttribute(queue(SHOP), "Paused").equals(true)
                && server.getAttribute(queue(ODD), "Concurrency").equals(2));
    assertThat(
            TestDatabase.column(
                database,
                "select concat_ws(' ', who, action, target, detail) from readpast_audit order by"
                    + " id"))
        .containsExactly(
            "jmx queue.change q {\"concurrency\":{\"from\":null,\"to\":2}}",
            "jmx queue.change q {\"paused\":{\"from\":false,\"to\":true}}");
  }

  @Test
  void audit_entry_has_the_user_of_the_jmx_connector() throws Exception {
    var carla = new javax.security.auth.Subject();
    carla.getPrincipals().add(new javax.management.remote.JMXPrincipal("carla"));
    as(carla, () -> server.invoke(queue(SHOP), "pause", null, null));
    assertThat(TestDatabase.column(database, "select who from readpast_audit"))
        .containsExactly("carla");
  }

  @SuppressWarnings("removal")
  private static void as(javax.security.auth.Subject who, java.util.concurrent.Callable<?> action)
      throws Exception {
    // Calls the bean like JMX's own RMI connector, which Java 18 has changed.
    try {
      javax.security.auth.Subject.class
          .getMethod(
              "callAs", javax.security.auth.Subject.class, java.util.concurrent.Callable.class)
          .invoke(null, who, action);
    } catch (NoSuchMethodException e) {
      javax.security.auth.Subject.doAsPrivileged(
          who, (java.security.PrivilegedExceptionAction<Object>) action::call, null);
    }
  }

  @Test
  void drain_reaches_the_node() throws Exception {
    ObjectName node = Management.name(SHOP, false, "Node", "");
    server.invoke(node, "drain", null, null);
    Await.until(SOON, () -> server.getAttribute(node, "Draining").equals(true));
    assertThat(server.getAttribute(Management.name(ODD, false, "Node", ""), "Draining"))
        .isEqualTo(false);
  }

  @Test
  void stop_removes_all_beans_and_a_start_replaces_leftovers() {
    // Simulates an earlier instance of the application that was not stopped.
    Management next = management(first, SHOP);
    next.update();
    assertThat(names()).hasSize(5);
    next.stop();
    ofSecond.stop();
    assertThat(names()).isEmpty();
    ofFirst.stop();
  }
}
