package org.readpast.server.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.database.Transactions;
import org.readpast.enqueue.Enqueues;
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;

/**
 * Tests that the engine retries its transactions, each time in a new transaction. Sequences count
 * the faults, and record the transaction id and the time of each attempt, because a rollback does
 * not undo changes to sequences.
 */
@ExtendWith(ArquillianExtension.class)
class RetriedTransactionIT {
  private static final int MOST_TRIES = 9;
  private static final int MOST_CONNECTIONS = 60;

  @Inject Transactions transactions;
  @Inject JobQueue jobs;
  @Inject Rows rows;

  private final String mark = UUID.randomUUID().toString();

  @Deployment
  static WebArchive application() {
    return Application.archive("retried", RetriedTransactionIT.class);
  }

  @BeforeEach
  void prepareFaults() {
    // With its first statement, Readpast turns off the repetition of statements by EclipseLink.
    transactions.autoCommitOnce(() -> new Enqueues(transactions).missingQueues(List.of("q")));
    rows.run("create sequence fault_tries");
    tries().forEach(n -> rows.run("create sequence fault_transaction_" + n));
    tries().forEach(n -> rows.run("create sequence fault_moment_" + n));
    rows.run(
        """
        create function fail_first(times bigint, state text) returns text language plpgsql as $$
        declare
          n bigint := nextval('fault_tries');
        begin
          perform setval('fault_transaction_' || n, txid_current());
          perform setval('fault_moment_' || n, cast(extract(epoch from clock_timestamp()) * 1000 as bigint));
          if n <= times then
            raise exception 'injected fault %', n using errcode = state;
          end if;
          return n;
        end $$""");
    rows.run(
        """
        create function fail_first() returns trigger language plpgsql as $$
        begin
          perform fail_first(cast(tg_argv[0] as bigint), '40001');
          return new;
        end $$""");
  }

  @AfterEach
  void removeFaults() {
    rows.run("drop trigger if exists fault on readpast_job_history");
    rows.run("drop trigger if exists fault on app_note");
    rows.run("drop function if exists fail_first()");
    rows.run("drop function if exists fail_first(bigint, text)");
    rows.run("drop sequence if exists fault_tries");
    tries().forEach(n -> rows.run("drop sequence if exists fault_transaction_" + n));
    tries().forEach(n -> rows.run("drop sequence if exists fault_moment_" + n));
  }

  @Test
  void unserializable_statement_is_retried_in_a_new_transaction() {
    String answer =
        transactions.requiresNew(
            () -> {
              write();
              return ask("select fail_first(2, '40001')");
            });
    assertThat(answer).isEqualTo("3");
    assertThat(transactionsTried()).hasSize(3).doesNotHaveDuplicates();
    assertThat(rows.written(mark)).isEqualTo(1);
    assertThat(rows.transactionOfNote(mark)).isEqualTo(transactionsTried().get(2));
  }

  @Test
  void unserializable_commit_is_retried_in_a_new_transaction() {
    rows.run(
        "create constraint trigger fault after insert on app_note deferrable initially deferred"
            + " for each row execute function fail_first(2)");
    transactions.requiresNew(
        () -> {
          write();
          return true;
        });
    assertThat(transactionsTried()).hasSize(3).doesNotHaveDuplicates();
    assertThat(rows.written(mark)).isEqualTo(1);
    assertThat(rows.transactionOfNote(mark)).isEqualTo(transactionsTried().get(2));
  }

  @Test
  void auto_commit_statement_is_retried() {
    List<Boolean> ended = new CopyOnWriteArrayList<>();
    String answer =
        transactions.autoCommit(
            () -> {
              transactions.afterCompletion(ended::add);
              return writeAndAsk("fail_first(2, '40001')");
            });
    assertThat(answer).isEqualTo("3");
    assertThat(ended).containsExactly(false, false, true);
    assertThat(transactionsTried()).hasSize(3).doesNotHaveDuplicates();
    assertThat(rows.transactionOfNote(mark)).isEqualTo(transactionsTried().get(2));
  }

  @Test
  void auto_commit_statement_commits_immediately_outside_the_transaction_of_its_caller() {
    transactions.requiresNew(
        () ->
            transactions.autoCommit(
                () -> {
                  assertThat(writeAndAsk("cast(pg_current_xact_id() as text)")).isNotEmpty();
                  assertThat(rows.written(mark)).isEqualTo(1);
                  return true;
                }));
  }

  @Test
  void auto_commit_works_on_connections_that_an_application_left_in_another_mode() {
    leaveConnectionsWithoutAutoCommit("jdbc/readpast-system");
    for (int i = 1; i <= MOST_CONNECTIONS; i++) {
      transactions.autoCommit(() -> writeAndAsk("'written'"));
      assertThat(rows.written(mark)).isEqualTo(i);
    }
    leaveConnectionsWithoutAutoCommit("jdbc/readpast");
    for (int i = 1; i <= MOST_CONNECTIONS; i++) {
      transactions.autoCommitOnce(() -> writeAndAsk("'written'"));
      // The statement uses a connection of the other pool.
      assertThat(
              transactions.requiresNew(
                  () -> ask("select count(*) || '' from app_note where note = '" + mark + "'")))
          .isEqualTo(Integer.toString(MOST_CONNECTIONS + i));
    }
  }

  @Test
  void auto_commit_works_on_a_connection_whose_last_commit_failed() {
    rows.run(
        "create function fail_commit() returns trigger language plpgsql as"
            + " 'begin raise exception ''injected''; end'");
    rows.run(
        "create constraint trigger fault after insert on app_note deferrable initially deferred"
            + " for each row when (new.note like '% fails') execute function fail_commit()");
    try {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> transactions.requiresNew(() -> writeNote(mark + " fails")))
            .hasStackTraceContaining("injected");
      }
    } finally {
      rows.run("drop trigger fault on app_note");
      rows.run("drop function fail_commit()");
    }
    for (int i = 1; i <= MOST_CONNECTIONS; i++) {
      transactions.autoCommit(() -> writeAndAsk("'written'"));
      assertThat(rows.written(mark)).isEqualTo(i);
    }
  }

  @Test
  void auto_commit_keeps_earlier_writes_of_the_application() throws SQLException {
    try (Connection own = rows.connection()) {
      own.setAutoCommit(false);
      try (Statement statement = own.createStatement()) {
        statement.executeUpdate("insert into app_note (note) values ('" + mark + "')");
      }
      transactions.autoCommitOnce(() -> writeAndAsk("'written'"));
      own.commit();
      own.setAutoCommit(true);
    }
    assertThat(rows.written(mark)).isEqualTo(2);
  }

  private void leaveConnectionsWithoutAutoCommit(String dataSource) {
    for (int i = 0; i < MOST_CONNECTIONS; i++) {
      // Runs outside the context that the server keeps for the thread of this test.
      transactions.autoCommitOnce(
          () -> {
            Rows.leaveConnectionWithoutAutoCommit(dataSource);
            return true;
          });
    }
  }

  @Test
  void statement_with_an_unknown_commit_outcome_is_not_repeated() {
    assertThatThrownBy(
            () ->
                transactions.autoCommitOnce(
                    () ->
                        ask(
                            "select fail_first(0, '40001') || pg_terminate_backend(pg_backend_pid())")))
        .hasStackTraceContaining("terminating connection");
    assertThat(transactionsTried()).hasSize(1);
  }

  @Test
  void error_of_the_work_is_rethrown_without_a_retry() {
    assertThatThrownBy(
            () ->
                transactions.autoCommit(
                    () -> {
                      ask("select fail_first(0, '40001')");
                      throw new StackOverflowError("injected");
                    }))
        .isInstanceOf(StackOverflowError.class);
    assertThat(transactionsTried()).hasSize(1);
  }

  @Test
  void failure_after_the_commit_causes_no_retry() {
    String answer =
        transactions.autoCommit(
            () -> {
              transactions.afterCommit(
                  () -> {
                    throw new IllegalStateException("injected");
                  });
              return ask("select fail_first(0, '40001')");
            });
    assertThat(answer).isEqualTo("1");
    assertThat(transactionsTried()).hasSize(1);
  }

  @Test
  void transaction_that_never_succeeds_is_abandoned() {
    assertThatThrownBy(
            () -> transactions.requiresNew(() -> ask("select fail_first(1000, '40001')")))
        .isInstanceOf(DatabaseUnavailableException.class)
        .hasStackTraceContaining("injected fault 6");
    assertThat(transactionsTried()).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void permanent_error_is_not_retried() {
    assertThatThrownBy(
            () -> transactions.requiresNew(() -> ask("select fail_first(1000, '22012')")))
        .hasStackTraceContaining("injected fault 1");
    assertThat(transactionsTried()).hasSize(1);
  }

  @Test
  void maintenance_retries_an_unserializable_statement() {
    rows.run(
        "create trigger fault before insert on readpast_job_history"
            + " for each row execute function fail_first(2)");
    assertThatAnExpiredJobEndsAtTheThirdTry();
  }

  @Test
  void maintenance_retries_an_unserializable_commit() {
    rows.run(
        "create constraint trigger fault after insert on readpast_job_history"
            + " deferrable initially deferred for each row execute function fail_first(2)");
    assertThatAnExpiredJobEndsAtTheThirdTry();
  }

  private void assertThatAnExpiredJobEndsAtTheThirdTry() {
    long id =
        jobs.enqueue(JobRequest.of(new Payloads.Follower(mark)).expiresIn(Duration.ofMillis(1)))
            .id();
    rows.awaitState(id, "EXPIRED");
    assertThat(transactionsTried()).hasSize(3).doesNotHaveDuplicates();
    assertThat(rows.transactionOfEnd(id)).isEqualTo(transactionsTried().get(2));
    List<Long> moments = kept("fault_moment_").stream().map(Long::valueOf).toList();
    assertThat(moments.get(2) - moments.get(0))
        .as("milliseconds from the first try to the third: less than until the next round")
        .isLessThan(4_000);
  }

  private void write() {
    writeNote(mark);
  }

  private int writeNote(String note) {
    return transactions
        .entityManager()
        .createNativeQuery("insert into app_note (note) values (?1)")
        .setParameter(1, note)
        .executeUpdate();
  }

  private String writeAndAsk(String question) {
    return ask(
        "with note as (insert into app_note (note) values ('%s')) select %s"
            .formatted(mark, question));
  }

  private String ask(String question) {
    return (String) transactions.entityManager().createNativeQuery(question).getSingleResult();
  }

  private List<String> transactionsTried() {
    return kept("fault_transaction_");
  }

  private List<String> kept(String sequence) {
    return tries()
        .map(n -> rows.value("select last_value from " + sequence + n + " where is_called"))
        .filter(value -> value != null)
        .toList();
  }

  private static java.util.stream.Stream<Integer> tries() {
    return IntStream.rangeClosed(1, MOST_TRIES).boxed();
  }
}
