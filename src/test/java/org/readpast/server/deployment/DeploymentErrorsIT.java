package org.readpast.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.server.faulty.FaultyBackground;
import org.readpast.server.faulty.FaultyEjb;
import org.readpast.server.faulty.FaultyHandlers;
import org.readpast.server.faulty.FaultyObservers;
import org.readpast.server.faulty.FaultyRoles;
import org.readpast.server.faulty.FaultyRolesOfEjb;
import org.readpast.server.faulty.FaultyScopes;
import org.readpast.server.faulty.FaultySettings;
import org.readpast.support.Await;
import org.readpast.support.Deployments;

/**
 * Tests that an application with errors does not deploy, and that all its errors are reported
 * together.
 */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class DeploymentErrorsIT {
  @ArquillianResource Deployer deployer;

  @Deployment(name = "handlers", managed = false, testable = false)
  static WebArchive faultyHandlers() {
    return Deployments.application("faulty-handlers", FaultyHandlers.class);
  }

  @Deployment(name = "background", managed = false, testable = false)
  static WebArchive faultyBackground() {
    return Deployments.application("faulty-background", FaultyBackground.class, FaultyEjb.class);
  }

  @Deployment(name = "scopes", managed = false, testable = false)
  static WebArchive faultyScopes() {
    return Deployments.application("faulty-scopes", FaultyScopes.class)
        .addAsWebInfResource(
            new StringAsset(
                """
                <beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0" bean-discovery-mode="annotated">
                  <scan><exclude name="%s$ExcludedByFile"/></scan>
                </beans>"""
                    .formatted(FaultyScopes.class.getName())),
            "beans.xml");
  }

  @Deployment(name = "observers", managed = false, testable = false)
  static WebArchive faultyObservers() {
    return Deployments.application(
        "faulty-observers", FaultyObservers.class, FaultyRoles.class, FaultyRolesOfEjb.class);
  }

  @Deployment(name = "settings", managed = false, testable = false)
  static WebArchive faultySettings() {
    return Deployments.configured(
        Deployments.application("faulty-settings", FaultySettings.class),
        "readpast.lease=soon",
        "readpast.schema.auto=maybe",
        "readpast.schema.name=Two words",
        "readpast.worker.concurrency=0",
        "readpast.queue.\"mail\".mode=SOMETIMES",
        "readpast.queue.\"mail\".roles.viewr=post",
        "readpast.type.\"faulty.configured\".max-attempts=many",
        "readpast.type.\"faulty.configured\".global-concurrency=10001",
        "readpast.schedule.\"faulty.configured\".daily=half past two",
        "readpast.schedule.\"faulty.configured\".type=faulty.configured",
        "readpast.ejb.allow=ldap://elsewhere.example.org/, java:global/legacy/",
        "readpast.type.\"faulty.remote\".ejb=java:global/other/Bean",
        "readpast.type.\"faulty.configured\".ejb=java:global/legacy/Bean",
        "readpast.webhook.url=https://elsewhere.example.org/hook",
        "readpast.webhook.allow=hooks.example.org",
        "readpast.webhook.secret=of another form");
  }

  @Deployment(name = "serializable", managed = false, testable = false)
  static WebArchive serializable() {
    return Deployments.configured(
        Deployments.application("serializable"),
        "readpast.datasource=jdbc/readpast-serializable",
        "readpast.datasource.system=jdbc/readpast-system");
  }

  @Test
  void one_message_names_all_faulty_handlers() throws IOException {
    String place = FaultyHandlers.class.getName() + "$";
    String message = messageOfRefusal("handlers", "READPAST-0006");
    assertThat(message)
        .contains("job type 'faulty.twice' has two handlers")
        .contains(place + "First")
        .contains(place + "Second.again")
        .contains(
            "handler " + place + "OfUntyped takes " + place + "Untyped, which has no job type")
        .contains(
            "@Handles method "
                + place
                + "OfWrongShape.shaped does not have the signature of a handler")
        .contains(
            "@Scheduled method "
                + place
                + "OfWrongSchedule.scheduled cannot be called without a payload")
        .contains("schedule 'faulty.once' is declared twice")
        .contains(
            "@Scheduled method "
                + place
                + "OfWrongSchedule.often has 2 schedules; give each of them a unique name");
    String faults = message.substring(message.indexOf("READPAST-0006") + 14);
    // Payara repeats the message of the cause in the same line.
    String once = faults.split(" -- READPAST-0006")[0];
    assertThat(once.split("; (?=@|handler |job type |schedule )")).isSorted();
  }

  @Test
  void one_message_names_all_faulty_background_methods() throws IOException {
    String place = "@Background method " + FaultyBackground.class.getName() + "$";
    assertThat(messageOfRefusal("background", "READPAST-0006"))
        .contains(
            place
                + "OfWrongShape.hidden(String): it is package-private, but only calls of"
                + " public")
        .contains(
            place + "OfWrongShape.fixed(String): it is 'public static', but only calls of public")
        .contains(
            place + "OfWrongShape.last(String): it is 'public final', but only calls of public")
        .contains(place + "OfWrongShape.answering(String): it returns String")
        .contains(
            place
                + "OfWrongShape.twice(String): another @Background method of the class has the"
                + " same name")
        .contains(
            place
                + "OfWrongShape.twice(int): another @Background method of the class has the same"
                + " name")
        .contains(place + "OfWrongShape.both(String): it also has @Handles")
        .contains(place + "OfWrongShape.named(String): ")
        .contains(
            place
                + "OfWrongArguments.stream(String, InputStream): argument 2:"
                + " java.io.InputStream cannot be stored as JSON; pass what the"
                + " method needs of it")
        .contains(
            place
                + "OfWrongArguments.holder(Map): argument 1: java.lang.Thread cannot be"
                + " stored as JSON")
        .contains(place + "OfWrongArguments.unmakeable(Unmakeable): argument 1: ")
        .contains("$Unmakeable cannot be created from JSON; add a public constructor")
        .contains(place + "OfWrongArguments.record(Hidden): argument 1: ")
        .contains("$Hidden is not a public top-level or static nested class; make it public")
        .contains(place + "OfWrongArguments.shape(Shape): argument 1: ")
        .contains("$Shape is an interface, so the class of the argument would be lost")
        .contains(
            place
                + "OfWrongArguments.raw(List): argument 1: java.util.List has no type"
                + " argument; write List<YourType>")
        .contains(place + "OfWrongArguments.variable(Object): argument 1: T is a type variable")
        .contains(place + "OfSession.remember(String): its bean is @SessionScoped")
        .contains(FaultyEjb.class.getName() + ".work(String): its bean is an EJB");
  }

  @Test
  void one_message_names_all_handler_classes_without_a_scope() throws IOException {
    String place = FaultyScopes.class.getName() + "$";
    assertThat(messageOf("scopes", "READPAST-0033"))
        .contains(
            "no scope: "
                + place
                + "Handler, "
                + place
                + "OfBackground, "
                + place
                + "OfMethod, "
                + place
                + "OfSchedule; add @ApplicationScoped");
  }

  @Test
  void invalid_observers_and_roles_are_named() throws IOException {
    String observer = "observer void " + FaultyObservers.class.getName();
    assertThat(messageOfRefusal("observers", "READPAST-0006"))
        .contains(observer + ".running(")
        .contains(" selects the state RUNNING, but events are fired only for jobs that have ended")
        .contains(observer + ".partly(")
        .contains(" selects the state SCHEDULED, but events")
        .contains(observer + ".misnamed(")
        .contains(" would never be called: job type 'no type' is not a valid name")
        .contains(observer + ".undone(")
        .contains(" is declared with during = AFTER_FAILURE, but events are fired after the end")
        .contains(observer + ".soon(")
        .contains(" is declared with during = BEFORE_COMPLETION")
        .contains("handler " + FaultyRoles.class.getName() + ".denied allows no role")
        .contains(
            "handler "
                + FaultyRoles.class.getName()
                + ".scheduled is @Scheduled and requires roles")
        .contains("handler " + FaultyRolesOfEjb.class.getName() + ".chiefs is an EJB, whose");
  }

  @Test
  void one_message_names_all_faulty_settings() throws IOException {
    String message = messageOfRefusal("settings", "the configuration cannot be used");
    assertThat(message)
        .contains("readpast.lease is 'soon'")
        .contains("readpast.schema.auto is 'maybe'; specify apply, validate or none")
        .contains(
            "readpast.schema.name is 'Two words'; specify the name of a schema: up to 63"
                + " lower-case letters")
        .contains("readpast.worker.concurrency is '0'; specify 1 to 1000")
        .contains("readpast.queue.\"mail\".mode is 'SOMETIMES'; specify TRANSACTIONAL or LEASED")
        .contains(
            "readpast.queue.\"mail\".roles.viewr is not a known key; specify"
                + " readpast.queue.\"<queue>\"")
        .contains(
            "readpast.type.\"faulty.configured\".max-attempts is 'many'; specify a number or unlimited")
        .contains(
            "readpast.type.\"faulty.configured\".global-concurrency is '10001'; specify 0 to 10000")
        .contains(FaultySettings.class.getName() + ".attempts: max attempts is 0")
        .contains(
            ".delayed: @Retries(delay = \"10s\") is not an ISO-8601 duration; write, for"
                + " example, PT10S")
        .contains(".timed: @Receive(timeout = \"5 min\") is not an ISO-8601 duration")
        .contains("schedule 'faulty.configured' of configuration: daily is 'half past two'")
        .contains("schedule 'faulty.cron' of " + FaultySettings.class.getName() + ".never: cron is")
        .contains("schedule 'faulty.payload' of " + FaultySettings.class.getName() + ".configured")
        .contains("readpast.ejb.allow is 'ldap://elsewhere.example.org/'; specify prefixes of")
        .contains("readpast.type.\"faulty.remote\".ejb is 'java:global/other/Bean'; name an EJB")
        .contains(
            "job type 'faulty.configured' has a handler in this application, but"
                + " readpast.type.")
        .contains("readpast.webhook.url is 'https://elsewhere.example.org'; name its host")
        .contains("readpast.webhook.secret is invalid; specify whsec_")
        .doesNotContain("of another form");
  }

  @Test
  void error_names_the_data_source_with_a_wrong_isolation_level_and_a_remedy() throws IOException {
    assertThat(messageOfRefusal("serializable", "the configuration cannot be used"))
        .contains(
            "data source 'jdbc/readpast-serializable' (readpast.datasource) has isolation level"
                + " SERIALIZABLE, which is set by the server's data source")
        .contains("isolationLevel=\"TRANSACTION_READ_COMMITTED\"")
        .contains("transaction-isolation-level=\"read-committed\"")
        .doesNotContain("jdbc/readpast-system");
  }

  /**
   * Works like {@link #messageOfRefusal} for Open Liberty, which starts the application without an
   * engine.
   */
  private String messageOf(String deployment, String start) throws IOException {
    if (!System.getProperty("readpast.server").equals("liberty")) {
      return messageOfRefusal(deployment, start);
    }
    long before = Files.size(log());
    deployer.deploy(deployment);
    try {
      Await.until(
          Duration.ofSeconds(30),
          "the refusal to start the engine",
          () -> logged(before, start).stream().anyMatch(l -> l.endsWith("does not start")));
      assertThat(logged(before, "READPAST-0001")).isEmpty();
    } finally {
      deployer.undeploy(deployment);
    }
    return logged(before, start).get(0);
  }

  private static List<String> logged(long from, String part) throws IOException {
    try (var file = Files.newInputStream(log())) {
      file.skipNBytes(from);
      return new String(file.readAllBytes()).lines().filter(l -> l.contains(part)).toList();
    }
  }

  /**
   * Reads the server's log, because not every server includes the message in its response to a
   * deployment.
   */
  private String messageOfRefusal(String deployment, String start) throws IOException {
    long before = Files.size(log());
    try {
      assertThatThrownBy(() -> deployer.deploy(deployment)).isNotNull();
    } finally {
      deployer.undeploy(deployment);
    }
    List<String> said = logged(before, start);
    assertThat(said).as("lines of " + log() + " with " + start).isNotEmpty();
    return said.get(0);
  }

  private static Path log() {
    return Path.of(System.getProperty("readpast.arquillian.log"));
  }
}
