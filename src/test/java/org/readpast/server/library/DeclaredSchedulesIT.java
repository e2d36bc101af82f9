package org.readpast.server.library;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.admin.ScheduleControl;
import org.readpast.admin.store.ScheduleRunView;
import org.readpast.admin.store.ScheduleView;
import org.readpast.api.CatchUp;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;
import org.readpast.api.Overlap;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Scheduled;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.Timing;
import org.readpast.server.app.Application;
import org.readpast.server.app.Script;
import org.readpast.support.Await;

/** Tests schedules that an application declares on its methods and in its configuration. */
@ExtendWith(ArquillianExtension.class)
class DeclaredSchedulesIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Inject ScheduleControl schedules;
  @Inject Script script;

  @Resource(lookup = "java:module/ModuleName")
  String module;

  @Deployment
  static WebArchive application() {
    return Application.archive(
        "schedules",
        DeclaredSchedulesIT.class,
        "readpast.schedule.\"moved\".cron=0 5 * * SUN",
        "readpast.schedule.\"moved\".zone=Europe/Berlin",
        "readpast.schedule.\"configured\".every=PT1S",
        "readpast.schedule.\"configured\".type=schedules.greeting",
        "readpast.schedule.\"configured\".payload={\"text\":\"from configuration\"}",
        "readpast.schedule.\"configured\".catch-up=all",
        "readpast.schedule.\"configured\".catch-up-cap=7",
        "readpast.schedule.\"configured\".latest-start=PT1M");
  }

  /** Holds the payload of a scheduled greeting. */
  @JobType(value = "schedules.greeting", queue = "greetings")
  public record Greeting(String text, int times) {}

  /** Has one method for each way to declare a schedule. */
  @ApplicationScoped
  public static class Timetable {
    @Inject Script script;

    @Scheduled(every = "PT1S", overlap = Overlap.SKIP)
    void tick() {
      script.saw("tick", "tick");
    }

    @Scheduled(name = "told", every = "PT1S", type = "schedules.told", queue = "greetings")
    @Receive(ReceiveMode.LEASED)
    JobResult told(JobContext context) {
      script.saw("told", context.type() + " " + context.queue() + " " + context.properties());
      return JobResult.done();
    }

    @Handles
    @Scheduled(
        name = "greeting",
        daily = "02:30",
        zone = "America/New_York",
        catchUp = CatchUp.NONE,
        payload = "{\"text\":\"good morning\"}")
    void greet(Greeting greeting) {
      script.saw("greetings", greeting);
    }

    @Scheduled(name = "twice.early", every = "PT1S")
    @Scheduled(name = "twice.late", daily = "23:59")
    void twice(JobContext context) {
      script.saw("twice", context.properties().get("readpast.schedule"));
    }

    @Handles
    @JobType("schedules.texts")
    @Scheduled(name = "texts.first", daily = "23:58", payload = "\"first\"")
    @Scheduled(name = "texts.second", daily = "23:59", payload = "\"second\"")
    void texts(String text) {
      script.saw("texts", text);
    }

    @Scheduled(name = "moved", every = "PT1S", anchor = "2027-01-01T00:00:00Z")
    void moved() {
      script.saw("moved", "moved");
    }
  }

  /** Holds the payload of a schedule, which is the parameter of the handler. */
  @JobType("schedules.farewell")
  public record Farewell(String text) {}

  /** Handles the jobs of a schedule as a bean. */
  @Dependent
  public static class FarewellHandler implements JobHandler<Farewell> {
    @Inject Script script;

    @Override
    @Scheduled(name = "farewell", every = "PT1S", payload = "{\"text\":\"bye\"}")
    public JobResult handle(Farewell farewell, JobContext context) {
      script.saw("farewells", farewell);
      return JobResult.done();
    }
  }

  @Test
  void handler_that_is_a_bean_can_be_scheduled() {
    Await.until(SOON, "a farewell", () -> script.seen("farewells").contains(new Farewell("bye")));
  }

  @Test
  void method_without_a_payload_is_called_and_its_runs_are_stored() {
    Await.until(SOON, "three ticks", () -> script.seen("tick").size() >= 3);
    String name = module + "~" + DeclaredSchedulesIT.class.getName() + ".Timetable.tick";
    ScheduleDefinition schedule = schedules.get(name).definition();
    assertThat(schedule.type()).isEqualTo(name);
    assertThat(schedule.overlap()).isEqualTo(Overlap.SKIP);
    List<ScheduleRunView> runs = schedules.runs(name, null, 50);
    assertThat(runs.stream().map(ScheduleRunView::plannedAt).distinct()).hasSameSizeAs(runs);
    assertThat(runs.stream().filter(run -> run.endedAt() != null)).isNotEmpty();
  }

  @Test
  void context_of_a_method_identifies_its_run() {
    Await.until(SOON, "a call", () -> !script.seen("told").isEmpty());
    assertThat(script.seen("told").get(0).toString())
        .startsWith("schedules.told greetings {")
        .contains("readpast.schedule=told", "readpast.planned-at=");
  }

  @Test
  void handler_is_scheduled_with_the_given_payload() {
    ScheduleView view = schedules.get("greeting");
    assertThat(view.definition().queue()).isEqualTo("greetings");
    assertThat(view.definition().timing().kind()).isEqualTo(Timing.Form.DAILY);
    assertThat(view.declaration().owner()).isEqualTo(module);
    assertThat(view.declaration().place()).endsWith("Timetable.greet");
    assertThat(view.nextAt()).isAfter(Instant.now());
    schedules.run("greeting");
    Await.until(
        SOON,
        "a greeting",
        () -> script.seen("greetings").contains(new Greeting("good morning", 0)));
  }

  @Test
  void method_may_have_several_schedules() {
    Await.until(SOON, "an early call", () -> script.seen("twice").contains("twice.early"));
    assertThat(script.seen("twice")).doesNotContain("twice.late");
    schedules.run("twice.late");
    schedules.run("texts.first");
    schedules.run("texts.second");
    Await.until(SOON, "a late call", () -> script.seen("twice").contains("twice.late"));
    Await.until(
        SOON,
        "both texts",
        () -> script.seen("texts").containsAll(List.of("\"first\"", "\"second\"")));
  }

  @Test
  void configuration_defines_schedules_and_changes_schedules_of_methods() {
    Await.until(
        SOON,
        "a greeting",
        () -> script.seen("greetings").contains(new Greeting("from configuration", 0)));
    ScheduleDefinition configured = schedules.get("configured").definition();
    assertThat(configured.catchUp()).isEqualTo(CatchUp.ALL);
    assertThat(configured.catchUpCap()).isEqualTo(7);
    assertThat(configured.latestStart()).isEqualTo(Duration.ofMinutes(1));
    Timing moved = schedules.get("moved").definition().timing();
    assertThat(moved.kind()).isEqualTo(Timing.Form.CRON);
    assertThat(moved.expression()).isEqualTo("0 5 * * SUN");
    assertThat(moved.zone().getId()).isEqualTo("Europe/Berlin");
  }

  @Test
  void disabled_schedule_does_not_fire() {
    Await.until(SOON, "a call", () -> !script.seen("told").isEmpty());
    schedules.switchTo("told", false);
    Instant last = schedules.runs("told", null, 1).get(0).plannedAt();
    int ticks = script.seen("tick").size();
    Await.until(SOON, "three ticks more", () -> script.seen("tick").size() >= ticks + 3);
    assertThat(schedules.runs("told", null, 1).get(0).plannedAt()).isEqualTo(last);
  }
}
