package org.readpast.server.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;
import java.sql.SQLException;
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
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;

/**
 * Tests an application that configures the data source and the schema of its queue: here a data
 * source with another application_name, and a schema that is on no search path.
 */
@ExtendWith(ArquillianExtension.class)
class OtherDataSourceIT {
  @Inject JobQueue jobs;
  @Inject Rows rows;
  @Inject Script script;
  @Inject UserTransaction transaction;

  @Resource(lookup = "jdbc/readpast-system")
  DataSource named;

  private final String mark = UUID.randomUUID().toString();

  @Deployment
  static WebArchive application() {
    return Application.archive(
        "other",
        OtherDataSourceIT.class,
        "readpast.datasource=jdbc/readpast-system",
        "readpast.schema.name=other_jobs");
  }

  @BeforeEach
  void noteWhoWrites() {
    rows.run(
        """
        create function note_who_writes() returns trigger language plpgsql as $$
        begin
          insert into app_note (note)
            values (concat(old.correlation_id, new.correlation_id, tg_op, current_setting('application_name')));
          return null;
        end $$""");
    rows.run(
        "create trigger who_writes after insert or delete on readpast_job"
            + " for each row execute function note_who_writes()");
  }

  @AfterEach
  void stopNoting() {
    rows.run("drop function note_who_writes() cascade");
  }

  @Test
  void jobs_are_enqueued_and_run_through_the_named_data_source() throws Exception {
    script.plan(
        mark,
        context -> {
          script.saw(mark, named("select current_setting('application_name')"));
          return JobResult.done();
        });
    long id = jobs.enqueue(JobRequest.of(new Payloads.Patient(mark)).correlationId(mark)).id();
    rows.awaitState(id, "COMPLETED");
    assertThat(rows.column("select note from app_note where note like ? order by 1", mark + "%"))
        .containsExactly(mark + "DELETEreadpast-system", mark + "INSERTreadpast-system");
    assertThat(script.seen(mark)).containsExactly("readpast-system");
    assertThat(rows.value("select cast(cast('readpast_job' as regclass) as text)"))
        .isEqualTo("other_jobs.readpast_job");
    assertThat(named("show search_path")).isEqualTo("\"$user\", public");
    assertThat(rows.value("select current_setting('application_name')")).isEqualTo("readpast");
  }

  @Test
  void enqueue_shares_the_local_transaction_of_the_named_data_source() throws Exception {
    transaction.begin();
    String number = named("select pg_current_xact_id()");
    long id = jobs.enqueue(new Payloads.Follower(mark)).id();
    transaction.commit();
    assertThat(rows.transactionOfJob(id)).isEqualTo(number);
    transaction.begin();
    named("select pg_current_xact_id()");
    long none = jobs.enqueue(new Payloads.Follower(mark)).id();
    transaction.rollback();
    assertThat(rows.state(none)).isNull();
  }

  private String named(String question) throws SQLException {
    try (var connection = named.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(question)) {
      return row.next() ? row.getString(1) : null;
    }
  }
}
