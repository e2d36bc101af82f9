package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.column;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobState;
import org.readpast.api.StateConflictException;
import org.readpast.model.JobSearch;
import org.readpast.support.TestDatabase;

/** Tests that erasure deletes the content of ended jobs and keeps the jobs. */
class ErasureIT {
  private static final Bulk.Change ERASE = new Bulk.Change(Bulk.Action.ERASE, null);
  private static final String SECRET = "smith";

  private final Operator operator = new Operator();
  private long live;
  private long discarded;
  private long other;

  @BeforeEach
  void enqueue() {
    live = operator.enqueued(null);
    discarded = operator.discarded("order-7");
    other = operator.discarded(null);
    for (long id : List.of(live, discarded, other)) {
      operator.database.execute(
          """
          insert into readpast_failure (job_id, attempt, kind, exception, message, trace)
          values (%1$d, 1, 'FAILED', 'IllegalStateException', 'no account of smith', 'of smith at X');
          insert into readpast_log (job_id, attempt, line) values (%1$d, 1, 'mail to smith');
          insert into readpast_sql_log (job_id, attempt, datasource, error) values (%1$d, 1, 'd', 'of smith')"""
              .formatted(id));
    }
    for (String table : List.of("job", "job_history")) {
      operator.database.execute(
          "update readpast_%s set payload = '{\"to\":\"smith\"}', properties = '{\"for\":\"smith\"}'"
              .formatted(table));
    }
    operator.database.execute("update readpast_job_history set result = '{\"of\":\"smith\"}'");
  }

  @AfterEach
  void leave() {
    operator.close();
  }

  /** Returns the ids of jobs that still hold any of the personal data. */
  private List<String> about(String who) {
    return column(
        operator.database,
        """
        select distinct id from (
          select id, cast(j as text) as said from readpast_job j
          union all select id, cast(h as text) from readpast_job_history h
          union all select job_id, cast(f as text) from readpast_failure f
          union all select job_id, cast(l as text) from readpast_log l
          union all select job_id, cast(s as text) from readpast_sql_log s) one
        where said like '%%%s%%' order by id"""
            .formatted(who));
  }

  @Test
  void erasure_removes_personal_data_and_keeps_everything_else() {
    Bulk.Result result = operator.bulk.applyTo(ERASE, List.of(discarded, live, 4711L));

    assertThat(result.changed()).isEqualTo(1);
    assertThat(about(SECRET)).containsExactly("" + live, "" + other);
    var job = operator.browser.job(discarded).job();
    assertThat(job.state()).isEqualTo(JobState.DISCARDED);
    assertThat(job.uniqueKey()).isEqualTo("order-7");
    assertThat(job.payload()).isNull();
    assertThat(
            operator.value(
                "select exception from readpast_failure where message is null and job_id = "
                    + discarded))
        .isEqualTo("IllegalStateException");
  }

  @Test
  void search_results_are_erased_and_the_audit_has_their_count() {
    operator.bulk.applyToMatching(ERASE, JobSearch.ANY, null);

    assertThat(about(SECRET)).containsExactly("" + live);
    assertThat(operator.value("select action from readpast_audit order by id desc limit 1"))
        .isEqualTo("jobs.erase");
    assertThat(
            operator.value(
                "select detail ->> 'erased' from readpast_audit order by id desc limit 1"))
        .isEqualTo("{\"DISCARDED\":2}");
  }

  @Test
  void erased_job_restarts_only_with_a_new_payload() {
    operator.bulk.applyTo(ERASE, List.of(discarded, other));

    assertThat(operator.control.resetAll(List.of(discarded, other))).isEmpty();
    assertThatThrownBy(() -> operator.control.reset(discarded, false))
        .isInstanceOf(StateConflictException.class)
        .hasMessage(
            "the payload of job "
                + discarded
                + " was erased; specify another payload to reset the job");

    operator.control.reset(discarded, false, "{\"to\":\"jones\"}");
    assertThat(TestDatabase.stateOf(operator.database, discarded)).isEqualTo("AVAILABLE");
  }
}
