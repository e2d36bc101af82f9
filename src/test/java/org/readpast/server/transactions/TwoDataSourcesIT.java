package org.readpast.server.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.RollbackException;
import jakarta.transaction.UserTransaction;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.api.JobQueue;
import org.readpast.api.JobResult;
import org.readpast.api.ReadpastException;
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;

/** Tests that two names of one database, neither of them XA, cannot share one transaction. */
@ExtendWith(ArquillianExtension.class)
class TwoDataSourcesIT {
  private static final String REFUSAL =
      "a transaction cannot use a second data source in addition to 'jdbc/readpast'"
          + " (readpast.datasource) if neither is XA, even if both lead to the same database;"
          + " name the application's own data source in readpast.datasource, or make both XA";

  @Inject JobQueue jobs;
  @Inject Rows rows;
  @Inject Script script;
  @Inject UserTransaction transaction;

  @Resource(lookup = "jdbc/readpast-system")
  DataSource other;

  private final String mark = UUID.randomUUID().toString();

  @Deployment
  static WebArchive application() {
    return Application.archive("two-data-sources", TwoDataSourcesIT.class);
  }

  @Test
  void enqueue_error_names_the_remedy_and_the_transaction_can_only_roll_back() throws Exception {
    transaction.begin();
    note();
    assertThatThrownBy(() -> jobs.enqueue(new Payloads.Follower(mark)))
        .isInstanceOf(ReadpastException.class)
        .hasMessage(REFUSAL);
    assertThatThrownBy(transaction::commit).isInstanceOf(RollbackException.class);
    assertThat(rows.written(mark)).isZero();
    assertThat(jobsOfMark()).isZero();
  }

  @Test
  void data_source_of_the_application_is_refused_after_an_enqueue() throws Exception {
    transaction.begin();
    jobs.enqueue(new Payloads.Follower(mark));
    assertThatThrownBy(this::note).isInstanceOf(SQLException.class);
    transaction.rollback();
    assertThat(rows.written(mark)).isZero();
    assertThat(jobsOfMark()).isZero();
  }

  @Test
  void failure_of_a_handler_names_the_remedy() {
    script.plan(
        mark,
        context -> {
          note();
          return JobResult.done();
        });
    long job = jobs.enqueue(new Payloads.Transactional(mark)).id();
    rows.awaitState(job, "DISCARDED");
    assertThat(rows.failures(job, "message")).containsExactly(REFUSAL);
    assertThat(rows.written(mark)).isZero();
  }

  private long jobsOfMark() {
    return rows.count(
        "select count(*) from readpast_job where cast(payload as text) like ?", "%" + mark + "%");
  }

  private void note() throws SQLException {
    try (var connection = other.getConnection();
        var insert = connection.prepareStatement("insert into app_note (note) values (?)")) {
      insert.setString(1, mark);
      insert.executeUpdate();
    }
  }
}
