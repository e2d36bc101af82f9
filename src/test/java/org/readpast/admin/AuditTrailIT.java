package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.column;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.AuditLog;
import org.readpast.admin.store.AuditLog.Filter;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.api.StateConflictException;
import org.readpast.model.JobSearch;
import org.readpast.model.NewJob;
import org.readpast.model.ScheduleDefinition;
import org.readpast.support.Await;
import org.readpast.support.TestNode;

/** Tests that a change by a caller and its audit entry are stored in one transaction. */
class AuditTrailIT {
  private static final Bulk.Change RESET = new Bulk.Change(Bulk.Action.RESET, null);

  private final Operator operator = new Operator();

  @AfterEach
  void leave() {
    operator.close();
  }

  /** Returns the entries, oldest first, as "who action target detail". */
  private List<String> trail() {
    return column(
        operator.database,
        "select concat_ws(' ', who, action, target, detail) from readpast_audit order by id");
  }

  @Test
  void job_actions_are_audited_with_their_caller() {
    long first = operator.enqueued(null);
    operator.control.cancel(first);
    operator.name = "carla";
    operator.control.reset(first, false);
    operator.control.cancel(first);
    operator.bulk.applyTo(RESET, List.of(first, 4711L));
    operator.control.cancel(first);
    operator.bulk.applyToMatching(RESET, JobSearch.parse("queue:q state:cancelled"), null);
    // An action without effect writes no entry.
    operator.bulk.applyTo(RESET, List.of(4711L));
    operator.bulk.applyToMatching(RESET, JobSearch.parse("queue:q state:cancelled"), null);
    String cancelled = " {\"state\":{\"from\":\"AVAILABLE\",\"to\":\"CANCELLED\"}}";
    String reset = "\"state\":{\"from\":{\"CANCELLED\":1},\"to\":\"AVAILABLE\"}";
    assertThat(trail())
        .containsExactly(
            "operator job.cancel " + first + cancelled,
            "carla job.reset "
                + first
                + " {\"state\":{\"from\":\"CANCELLED\",\"to\":\"AVAILABLE\"}}",
            "carla job.cancel " + first + cancelled,
            "carla jobs.reset {\"changed\":1," + reset + ",\"ids\":[" + first + ",4711]}",
            "carla job.cancel " + first + cancelled,
            "carla jobs.reset q {\"changed\":1,"
                + reset
                + ",\"matching\":{\"state\":\"CANCELLED\",\"queue\":\"q\"}}");
  }

  @Test
  void queue_change_records_the_previous_values() {
    operator.enqueued(null);
    operator.queues.change("q", QueueAdmin.Change.concurrency(3));
    operator.queues.change(
        "q", new QueueAdmin.Change(true, new QueueAdmin.NewValue(null), null, null));
    assertThat(trail())
        .containsExactly(
            "operator queue.change q {\"concurrency\":{\"from\":null,\"to\":3}}",
            "operator queue.change q {\"paused\":{\"from\":false,\"to\":true},"
                + "\"concurrency\":{\"from\":3,\"to\":null}}");
  }

  @Test
  void purge_leaves_one_entry_with_the_total_count_of_its_steps() {
    operator.intake.enqueue(Collections.nCopies(1_200, Operator.job("q", null)));
    assertThat(operator.purge.purge("q")).isEqualTo(1_200);
    assertThat(trail())
        .containsExactly(
            "operator queue.purge q {\"cancelled\":1200,\"state\":{\"from\":{\"AVAILABLE\":1200},\"to\":\"CANCELLED\"}}");
  }

  @Test
  void bulk_action_leaves_one_entry_without_payload_values() {
    operator.intake.enqueue(Collections.nCopies(2_500, Operator.job("q", null)));
    var cancel = new Bulk.Change(Bulk.Action.CANCEL, null);
    var search = JobSearch.parse("queue:q payload.n:1.10");
    assertThat(operator.bulk.applyToMatching(cancel, search, null).changed()).isEqualTo(2_500);
    assertThat(trail())
        .containsExactly(
            "operator jobs.cancel q {\"changed\":2500,\"state\":{\"from\":{\"AVAILABLE\":2500},\"to\":\"CANCELLED\"},\"matching\":{\"queue\":\"q\","
                + "\"payload.n\":\"…\"}}");
  }

  @Test
  void bulk_action_records_all_parts_of_its_search() {
    operator.enqueued(null);
    operator.database.execute("update readpast_job set properties = '{\"tenant\":\"acme\"}'");
    var search =
        JobSearch.parse("queue:q,mail type:known,o* version:1,2 priority:4 property.tenant:acme");
    operator.bulk.applyToMatching(new Bulk.Change(Bulk.Action.CANCEL, null), search, null);
    assertThat(trail())
        .containsExactly(
            "operator jobs.cancel {\"changed\":1,\"state\":{\"from\":{\"AVAILABLE\":1},\"to\":\"CANCELLED\"},"
                + "\"matching\":{\"queue\":\"q,mail\",\"type\":\"known,o*\",\"version\":\"1,2\",\"priority\":\"4\","
                + "\"property.tenant\":\"…\"}}");
  }

  @Test
  void actions_on_batches_groups_and_schedules_are_audited() {
    operator.batches.callback("b", BatchControl.Event.FINISH, Operator.job("q", null));
    operator.batches.request(Action.SEAL, "b");
    operator.batches.limitGroup("q", "g/1", 2);
    operator.batches.limitGroup("q", "g/1", 5);
    operator.batches.skipGroup("q", "g/1");
    operator.schedules.define(
        ScheduleDefinition.read("s", Map.of("daily", "02:30", "type", "known")), false);
    operator.schedules.switchTo("s", false);
    operator.schedules.define(
        ScheduleDefinition.read(
            "s", Map.of("daily", "03:00", "type", "known", "payload", "{\"secret\":1}")),
        true);
    long job = operator.schedules.run("s").job();
    operator.schedules.delete("s");
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("timing", "daily 02:30");
    fields.put("zone", "UTC");
    fields.put("type", "known");
    fields.put("queue", "default");
    fields.put("priority", 4);
    fields.put("catchUp", "ONCE");
    fields.put("catchUpCap", 100);
    fields.put("overlap", "ALLOW");
    fields.put("enabled", true);
    String defined = each(fields, "null", "%s");
    fields.put("timing", "daily 03:00");
    fields.put("enabled", false);
    String deleted = each(fields, "%s", "null");
    assertThat(trail())
        .containsExactly(
            "operator batch.define b {\"failurePolicy\":\"HOLD\"}",
            "operator batch.callback b {\"event\":\"FINISH\",\"type\":\"known\",\"queue\":\"q\"}",
            "operator batch.seal b {\"sealed\":{\"from\":false,\"to\":true}}",
            "operator group.limit q/g/1 {\"concurrency\":{\"from\":1,\"to\":2}}",
            "operator group.limit q/g/1 {\"concurrency\":{\"from\":2,\"to\":5}}",
            "operator group.skip q/g/1 {\"heldBy\":{\"from\":[],\"to\":[]}}",
            "operator schedule.define s {\"new\":true," + defined + "}",
            "operator schedule.disable s {\"enabled\":{\"from\":true,\"to\":false}}",
            "operator schedule.define s {\"new\":false,"
                + "\"timing\":{\"from\":\"daily 02:30\",\"to\":\"daily 03:00\"},\"newPayload\":true}",
            "operator schedule.run s {\"job\":" + job + "}",
            "operator schedule.delete s {" + deleted + "}");
  }

  /** Returns the old and the new value of each field, as JSON. */
  private static String each(Map<String, Object> fields, String from, String to) {
    return fields.entrySet().stream()
        .map(
            field -> {
              Object raw = field.getValue();
              String value = raw instanceof String ? "\"" + raw + "\"" : raw.toString();
              return "\"%s\":{\"from\":%s,\"to\":%s}"
                  .formatted(field.getKey(), from.formatted(value), to.formatted(value));
            })
        .collect(Collectors.joining(","));
  }

  @Test
  void job_change_records_the_previous_values() {
    long id =
        operator
            .intake
            .enqueue(
                new NewJob(
                    "q",
                    "known",
                    4,
                    Duration.ofHours(1),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    "{}"))
            .job()
            .job()
            .id();
    operator.control.changePriority(id, 7);
    operator.control.runNow(id);
    operator.bulk.applyTo(new Bulk.Change(Bulk.Action.PRIORITIZE, 2), List.of(id, 4711L));
    operator.control.cancel(id);
    operator.control.delete(id);
    long running = operator.enqueued(null);
    operator.database.execute(
        "update readpast_job set state = 'RUNNING', owner = 1 where id = " + running);
    operator.control.cancel(running);
    operator.control.cancel(running);
    assertThat(trail())
        .satisfiesExactly(
            is("job.prioritize " + id + " {\"priority\":{\"from\":4,\"to\":7}}"),
            one ->
                assertThat(one)
                    .matches(
                        "operator job.run "
                            + id
                            + " \\{\"due\":\\{\"from\":\"20[^\"]*Z\",\"to\":\"20[^\"]*Z\"}}"),
            is(
                "jobs.prioritize {\"changed\":1,\"priority\":{\"from\":{\"7\":1},\"to\":2},\"ids\":["
                    + id
                    + ",4711]}"),
            is("job.cancel " + id + " {\"state\":{\"from\":\"AVAILABLE\",\"to\":\"CANCELLED\"}}"),
            is(
                "job.delete "
                    + id
                    + " {\"state\":{\"from\":\"CANCELLED\",\"to\":null},\"queue\":\"q\"}"),
            is("job.cancel " + running + " {\"askedToEnd\":{\"from\":false,\"to\":true}}"),
            is("job.cancel " + running + " {\"askedToEnd\":{\"from\":true,\"to\":true}}"));
  }

  private static Consumer<String> is(String entry) {
    return one -> assertThat(one).isEqualTo("operator " + entry);
  }

  @Test
  void rolled_back_action_leaves_no_entry() throws Exception {
    long id = operator.enqueued(null);
    operator.transactions.inHandlerTransaction(
        Duration.ZERO,
        () -> {
          operator.control.cancel(id);
          operator.queues.change("q", QueueAdmin.Change.paused(true));
          return false;
        });
    assertThat(operator.browser.job(id).job().state()).isEqualTo(JobState.AVAILABLE);
    assertThat(trail()).isEmpty();
  }

  @Test
  void refused_action_leaves_no_entry() {
    long id = operator.enqueued(null);
    assertThatThrownBy(() -> operator.control.reset(id, false))
        .isInstanceOf(StateConflictException.class);
    assertThatThrownBy(() -> operator.queues.change("no", QueueAdmin.Change.paused(true)))
        .isInstanceOf(NotFoundException.class);
    assertThat(trail()).isEmpty();
  }

  @Test
  void action_fails_if_its_entry_cannot_be_stored() {
    long id = operator.enqueued(null);
    operator.database.execute("alter table readpast_audit rename to gone");
    assertThatThrownBy(() -> operator.control.cancel(id)).isInstanceOf(RuntimeException.class);
    assertThat(operator.browser.job(id).job().state()).isEqualTo(JobState.AVAILABLE);
  }

  @Test
  void caller_name_longer_than_its_column_is_cut() {
    operator.name = "x".repeat(300) + "\0";
    operator.audit("job.cancel", "t".repeat(600));
    assertThat(operator.audit.page(Filter.ALL, null, 1).get(0).who()).hasSize(255).endsWith("x…");
  }

  private List<Long> ids(Filter filter) {
    List<Long> ids = new ArrayList<>();
    Long before = null;
    while (true) {
      List<AuditLog.Entry> page = operator.audit.page(filter, before, 2);
      page.forEach(entry -> ids.add(entry.id()));
      if (page.size() < 2) {
        return ids;
      }
      before = page.get(1).id();
    }
  }

  @Test
  void entries_are_found_by_caller_action_target_and_time_in_pages() {
    operator.database.execute(
        """
        insert into readpast_audit (at, who, action, target, detail)
        select timestamptz '2026-01-01Z' + i * interval '1 hour', case when i % 2 = 0 then 'anna' else 'ben' end,
          case when i % 3 = 0 then 'queue.change' else 'job.cancel' end, 't' || i % 4, '{}'
        from generate_series(1, 12) i""");
    // Two entries have the same timestamp; their ids give the order.
    operator.database.execute("update readpast_audit set at = '2026-01-01 05:00Z' where id = 4");
    assertThat(ids(Filter.ALL)).containsExactly(12L, 11L, 10L, 9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L);
    assertThat(ids(new Filter("anna", null, null, null, null)))
        .containsExactly(12L, 10L, 8L, 6L, 4L, 2L);
    assertThat(ids(new Filter(null, "queue", null, null, null))).containsExactly(12L, 9L, 6L, 3L);
    assertThat(ids(new Filter(null, "queue.change", "t0", null, null))).containsExactly(12L);
    assertThat(ids(new Filter(null, "que", null, null, null))).isEmpty();
    assertThat(ids(new Filter(null, null, "t1", null, null))).containsExactly(9L, 5L, 1L);
    assertThat(
            ids(
                new Filter(
                    null,
                    null,
                    null,
                    Instant.parse("2026-01-01T05:00:00Z"),
                    Instant.parse("2026-01-01T08:00:00Z"))))
        .containsExactly(7L, 6L, 5L, 4L);
  }

  @Test
  void page_after_a_removed_last_entry_is_empty() {
    operator.audit("a.b", "x");
    operator.audit("a.b", "x");
    operator.database.execute("delete from readpast_audit where id = 1");
    assertThat(operator.audit.page(Filter.ALL, 1L, 10)).isEmpty();
  }

  @Test
  void old_entries_are_removed_and_recent_entries_are_kept() {
    operator.database.execute(
        """
        insert into readpast_audit (at, who, action, detail)
        select now() - i * interval '1 day', 'w', 'a.b', '{}' from generate_series(1, 2000) i""");
    try (TestNode node = new TestNode(operator.database).keepsAudit(Duration.ofDays(90)).start()) {
      Await.until(Duration.ofSeconds(20), () -> trail().size() == 89);
    }
  }
}
