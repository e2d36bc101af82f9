package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.ScheduleControl;
import org.readpast.admin.UnknownTypeException;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.JobSchedule;
import org.readpast.api.NotFoundException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.ScheduleStatus;
import org.readpast.api.StateConflictException;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests schedules that applications define at run time. */
class JobSchedulesIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final JobPreparer preparer = JobPreparer.with(new Json(), 1024 * 1024);
  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database);
  private final List<String> worked = Collections.synchronizedList(new ArrayList<>());
  private JobSchedulesBean schedules;

  @BeforeEach
  void begin() {
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              worked.add(payload);
              return JobResult.done();
            })
        .start();
    schedules = of("shop");
  }

  private JobSchedulesBean of(String application) {
    JobSchedulesBean bean = new JobSchedulesBean();
    bean.preparer = preparer;
    bean.application = application;
    bean.control =
        new ScheduleControl(
            node.transactions(),
            node.engine().enqueuer(),
            node.engine().signals(),
            schedule -> {},
            node.audit());
    return bean;
  }

  @AfterEach
  void end() {
    node.close();
  }

  private static JobRequest job(String payload) {
    return JobRequest.of("t", "application/json", payload).queue("q");
  }

  private List<String> names(JobSchedulesBean of) {
    return of.list().stream().map(ScheduleStatus::name).toList();
  }

  @Test
  void schedule_fires_after_the_commit_that_defines_it() throws Exception {
    node.transactions()
        .inHandlerTransaction(
            SOON,
            () -> {
              schedules.define(JobSchedule.every("gone", Duration.ofSeconds(1), job("0")));
              assertThat(names(schedules)).containsExactly("gone");
              return false;
            });
    assertThat(schedules.find("gone")).isEmpty();

    assertThat(schedules.define(JobSchedule.every("s", Duration.ofSeconds(1), job("1")))).isTrue();
    Await.until(SOON, "fired", () -> worked.contains("1"));
    assertThat(worked).doesNotContain("0");
    assertThat(schedules.find("s").orElseThrow().lastJob()).isNotNull();

    assertThat(schedules.define(JobSchedule.daily("s", "02:30", job("2").priority(7)))).isFalse();
    ScheduleStatus changed = schedules.find("s").orElseThrow();
    assertThat(changed.timing()).isEqualTo("daily 02:30");
    assertThat(changed.zone()).isEqualTo("UTC");
    assertThat(changed.type()).isEqualTo("t");
    assertThat(changed.queue()).isEqualTo("q");
    schedules.run("s");
    Await.until(SOON, "run", () -> worked.contains("2"));
  }

  @Test
  void disabled_schedule_stays_disabled_until_it_is_enabled() {
    JobSchedule schedule = JobSchedule.cron("s", "@yearly", job("1"));
    schedules.define(schedule);
    schedules.disable("s");
    schedules.define(schedule);
    assertThat(schedules.find("s").orElseThrow().enabled()).isFalse();
    assertThat(schedules.find("s").orElseThrow().nextAt()).isNull();
    schedules.enable("s");
    assertThat(schedules.find("s").orElseThrow().nextAt()).isNotNull();
    schedules.delete("s");
    assertThat(schedules.find("s")).isEmpty();
    assertThatThrownBy(() -> schedules.delete("s")).isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> schedules.enable("s")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void application_lists_and_changes_only_its_own_schedules() {
    JobSchedulesBean other = of("bank");
    schedules.define(JobSchedule.cron("b", "@yearly", job("1")));
    schedules.define(JobSchedule.cron("a", "@yearly", job("1")));
    other.define(JobSchedule.cron("c", "@yearly", job("1")));
    assertThat(names(schedules)).containsExactly("a", "b");
    assertThat(names(other)).containsExactly("c");
    assertThatThrownBy(() -> other.define(JobSchedule.cron("a", "@daily", job("1"))))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("schedule 'a' was defined by application 'shop'");
    assertThatThrownBy(() -> other.delete("a")).isInstanceOf(StateConflictException.class);
    assertThat(schedules.find("a").orElseThrow().timing()).isEqualTo("cron @yearly");
  }

  @Test
  void schedule_that_breaks_a_rule_is_refused_by_name() {
    assertThatThrownBy(() -> schedules.define(JobSchedule.cron("s", "never", job("1"))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("never");
    assertThatThrownBy(
            () -> schedules.define(JobSchedule.cron("s", "@daily", job("1").uniqueKey("k"))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("its only headers are the queue and the priority");
    JobRequest unknown = JobRequest.of("nobody", "application/json", "1");
    assertThatThrownBy(() -> schedules.define(JobSchedule.cron("s", "@daily", unknown)))
        .isInstanceOf(UnknownTypeException.class);
    assertThat(schedules.list()).isEmpty();
  }
}
