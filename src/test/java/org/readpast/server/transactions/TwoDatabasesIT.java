package org.readpast.server.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.RollbackException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.runtime.PgNotices;
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;
import org.readpast.support.Await;

/**
 * Tests business data in one database and the queue in another, in one XA transaction. In this
 * test, the engine also uses an XA data source for its own work.
 */
@ExtendWith(ArquillianExtension.class)
class TwoDatabasesIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Inject JobQueue jobs;
  @Inject Rows rows;
  @Inject Script script;
  @Inject UserTransaction transaction;

  @Resource(lookup = "jdbc/business-xa")
  DataSource business;

  @Resource(lookup = "jdbc/readpast-xa")
  DataSource jobsDatabase;

  private final String mark = UUID.randomUUID().toString();

  @Deployment
  static WebArchive application() {
    return Application.archive(
        "two-databases",
        TwoDatabasesIT.class,
        "readpast.datasource=jdbc/readpast-xa",
        "readpast.datasource.system=jdbc/readpast-xa",
        "readpast.poll-interval=PT2M",
        "readpast.queue.\"forgotten\".retention.completed=PT0S");
  }

  @BeforeEach
  void createTable() throws SQLException {
    inBusiness("create table if not exists business_note (note text not null)");
  }

  @AfterEach
  void nothingIsLeftInDoubt() {
    assertThat(rows.count("select count(*) from pg_prepared_xacts")).isZero();
  }

  @Test
  void commit_creates_row_and_job_in_either_order() throws Exception {
    transaction.begin();
    note();
    long after = jobs.enqueue(new Payloads.Follower(mark)).id();
    transaction.commit();
    transaction.begin();
    long before = jobs.enqueue(new Payloads.Follower(mark)).id();
    note();
    transaction.commit();
    assertThat(noted()).isEqualTo(2);
    assertThat(rows.state(after)).isEqualTo(rows.state(before)).isEqualTo("AVAILABLE");
  }

  @Test
  void rollback_leaves_neither_row_nor_job() throws Exception {
    transaction.begin();
    note();
    long id = jobs.enqueue(new Payloads.Follower(mark)).id();
    transaction.rollback();
    assertThat(noted()).isZero();
    assertThat(rows.state(id)).isNull();
  }

  @Test
  void handler_and_its_job_commit_together() throws Exception {
    script.plan(
        mark,
        context -> {
          note();
          if (context.attempt() == 1) {
            throw new IllegalArgumentException("once");
          }
          return JobResult.done();
        });
    long id = jobs.enqueue(new Payloads.Transactional(mark)).id();
    rows.awaitState(id, "COMPLETED");
    assertThat(noted()).isEqualTo(1);
    assertThat(rows.failures(id, "message")).singleElement().asString().contains("once");
  }

  @Test
  void handler_that_ignores_a_failure_of_the_queue_database_leaves_no_writes() throws Exception {
    script.plan(
        mark,
        context -> {
          script.saw(mark, context.attempt());
          note();
          if (context.attempt() == 1) {
            assertThatThrownBy(() -> run(jobsDatabase, "select 1 / 0"))
                .isInstanceOf(SQLException.class);
          }
          return JobResult.done();
        });
    long id = jobs.enqueue(JobRequest.of(new Payloads.Transactional(mark)).queue("forgotten")).id();
    Await.until(LIMIT, "end of job " + id, () -> rows.state(id) == null);
    assertThat(script.seen(mark)).hasSize(2);
    assertThat(noted()).isEqualTo(1);
  }

  @Test
  void job_is_received_in_the_transaction_of_the_caller() throws Exception {
    String queue = "pulled-" + mark;
    long id = jobs.enqueue(JobRequest.of(new Payloads.Follower(mark)).queue(queue)).id();
    transaction.begin();
    assertThat(jobs.receive(queue, Duration.ofSeconds(5))).isPresent();
    note();
    transaction.rollback();
    assertThat(noted()).isZero();
    transaction.begin();
    assertThat(jobs.receive(queue, Duration.ofSeconds(5))).isPresent();
    note();
    transaction.commit();
    assertThat(noted()).isEqualTo(1);
    assertThat(rows.state(id)).isEqualTo("COMPLETED");
  }

  @Test
  void leased_job_can_use_its_own_transactions() throws Exception {
    script.plan(
        mark,
        context -> {
          transaction.begin();
          note();
          transaction.commit();
          context.enqueue(new Payloads.Follower(mark));
          return JobResult.done();
        });
    long id = jobs.enqueue(new Payloads.PatientLeased(mark)).id();
    rows.awaitState(id, "COMPLETED");
    assertThat(noted()).isEqualTo(1);
    assertThat(
            rows.count(
                "select count(*) from readpast_job where type = 'app.follower' and cast(payload as text) like ?",
                "%" + mark + "%"))
        .isEqualTo(1);
  }

  @Test
  void engine_receives_notifications_over_an_xa_data_source() {
    String queue = "heard-" + mark;
    jobs.enqueue(JobRequest.of(new Payloads.Patient("first")).queue(queue));
    rows.run(
        """
        with job as (
          insert into readpast_job (queue, type, state, position, available_at, payload)
          values (?, 'app.patient', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(),
            cast(? as json)))
        select pg_notify(%s, ?)"""
            .formatted(PgNotices.CHANNEL),
        queue,
        "{\"step\":\"" + mark + "\"}",
        queue);
    Await.until(
        Duration.ofSeconds(20),
        "the job of another node",
        () ->
            rows.count(
                    "select count(*) from readpast_job_history where queue = ? and state = 'COMPLETED'",
                    queue)
                == 2);
  }

  @Test
  void only_one_data_source_without_xa_can_join_the_transaction() throws Exception {
    transaction.begin();
    rows.write(mark);
    long id = jobs.enqueue(new Payloads.Follower(mark)).id();
    transaction.commit();
    assertThat(rows.written(mark)).isEqualTo(1);
    assertThat(rows.state(id)).isEqualTo("AVAILABLE");
    transaction.begin();
    long none = jobs.enqueue(new Payloads.Follower(mark)).id();
    rows.write(mark);
    transaction.rollback();
    assertThat(rows.written(mark)).isEqualTo(1);
    assertThat(rows.state(none)).isNull();
  }

  @Test
  void transaction_rolls_back_completely_without_free_prepared_transactions() throws Exception {
    int room = Integer.parseInt(rows.value("show max_prepared_transactions"));
    for (int i = 0; i < room; i++) {
      prepare("full-" + i);
    }
    try {
      transaction.begin();
      note();
      long id = jobs.enqueue(new Payloads.Follower(mark)).id();
      assertThatThrownBy(transaction::commit).isInstanceOf(RollbackException.class);
      assertThat(rows.state(id)).isNull();
      script.plan(
          mark,
          context -> {
            note();
            return JobResult.done();
          });
      // A transaction that uses only the queue needs no prepared transaction.
      long job = jobs.enqueue(new Payloads.Transactional(mark)).id();
      Await.until(LIMIT, "a failure", () -> !rows.failures(job, "message").isEmpty());
      assertThat(rows.failures(job, "message").get(0))
          .contains("its transaction was rolled back instead of committed")
          .endsWith(
              ("max_prepared_transactions, which is %d in the queue's database, with %d prepared"
                      + " transactions at present")
                  .formatted(room, room));
      assertThat(noted()).isZero();
    } finally {
      for (int i = 0; i < room; i++) {
        rows.run("rollback prepared 'full-" + i + "'");
      }
    }
  }

  private void prepare(String name) {
    rows.run("begin; insert into app_note values ('never'); prepare transaction '" + name + "'");
  }

  private void note() throws SQLException {
    inBusiness("insert into business_note (note) values ('" + mark + "')");
  }

  private void inBusiness(String sql) throws SQLException {
    run(business, sql);
  }

  private static void run(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long noted() throws SQLException {
    try (Connection connection = business.getConnection();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "select count(*) from business_note where note = '" + mark + "'")) {
      row.next();
      return row.getLong(1);
    }
  }
}
