package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.database.Outage;
import org.readpast.engine.Notices;
import org.readpast.model.SchemaName;
import org.readpast.support.Await;
import org.readpast.support.Command;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.Ports;
import org.readpast.support.TestDatabase;

class PgNoticesIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final String LISTENING =
      "select pid from pg_stat_activity where application_name = 'notices'"
          + " and datname = current_database()";

  private final Database database = TestDatabase.withTables();
  private final Outage outage = new Outage("shop", "host-1");
  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private PgNotices notices;

  @BeforeEach
  void listen() throws Exception {
    dataSource.setUrl(database.url());
    dataSource.setUser(database.user());
    dataSource.setPassword(database.password());
    dataSource.setApplicationName("notices");
    notices = listening(database);
    assertThat(notices.await(LOOK)).containsExactly(Notices.MISSED);
  }

  @AfterEach
  void close() {
    notices.close();
  }

  @Test
  void idle_connection_that_responds_is_kept() throws Exception {
    List<String> before = TestDatabase.column(database, LISTENING);
    for (int i = 0; i < 20; i++) {
      assertThat(notices.await(LOOK)).isEmpty();
    }
    assertThat(TestDatabase.column(database, LISTENING)).isEqualTo(before);
    notify("kept");
    Await.until(SOON, () -> notices.await(LOOK).contains("kept"));
  }

  @Test
  void notification_is_received_immediately() {
    notices.send("q,t'a");
    Await.until(SOON, () -> notices.await(LOOK).contains("q,t'a"));
  }

  @Test
  void notifications_of_another_installation_are_ignored() throws Exception {
    database.execute("create schema other; create table other.readpast_job ()");
    try (PgNotices other = listening(database.in("other"))) {
      assertThat(other.await(LOOK)).containsExactly(Notices.MISSED);
      other.send("theirs");
      Await.until(SOON, () -> other.await(LOOK).contains("theirs"));
      notices.send("ours");
      List<String> heard = new ArrayList<>();
      Await.until(SOON, () -> heard.addAll(notices.await(LOOK)));
      assertThat(heard).containsExactly("ours");
      assertThat(other.await(LOOK)).isEmpty();
    }
  }

  @Test
  void broken_connection_is_replaced() {
    database.execute("select pg_terminate_backend(pid) from (" + LISTENING + ") l");
    Await.until(SOON, () -> notices.await(LOOK).contains(Notices.MISSED));
    notify("anew");
    Await.until(SOON, () -> notices.await(LOOK).contains("anew"));
  }

  @Test
  void broken_connection_is_logged_and_does_not_count_as_an_outage() {
    try (LogLines log = new LogLines("org.readpast.runtime")) {
      database.execute("select pg_terminate_backend(pid) from (" + LISTENING + ") l");
      Await.until(SOON, () -> notices.await(LOOK).contains(Notices.MISSED));
      assertThat(log.from(Level.INFO))
          .singleElement()
          .asString()
          .startsWith("WARNING READPAST-0039 ")
          .contains("terminating connection due to administrator command");
    }
    assertThat(outage.lasts()).isFalse();
  }

  @Test
  void connection_that_cannot_be_reopened_is_an_outage() {
    int port = dataSource.getPortNumbers()[0];
    dataSource.setPortNumbers(new int[] {Ports.free()});
    try (LogLines log = new LogLines("org.readpast.runtime")) {
      database.execute("select pg_terminate_backend(pid) from (" + LISTENING + ") l");
      Await.until(
          SOON,
          () -> {
            notices.await(LOOK);
            return log.count("READPAST-0004") >= 3;
          });
      dataSource.setPortNumbers(new int[] {port});
      Await.until(SOON, () -> notices.await(LOOK).contains(Notices.MISSED));
      assertThat(log.from(Level.INFO)).isEmpty();
    }
    assertThat(outage.lasts()).isTrue();
  }

  /**
   * Simulates a leader that has lost its network: connections do not break, but no notification
   * arrives anymore.
   */
  @Test
  void unresponsive_connection_is_replaced() {
    String frozen = TestDatabase.value(database, LISTENING);
    Command.signal("STOP", frozen);
    try {
      Await.until(SOON, () -> notices.await(LOOK).contains(Notices.MISSED));
      notify("anew");
      Await.until(SOON, () -> notices.await(LOOK).contains("anew"));
    } finally {
      Command.signal("CONT", frozen);
    }
  }

  private PgNotices listening(Database installation) {
    return new PgNotices(
        dataSource, new SchemaName(installation.schema()), outage, Duration.ofMillis(300));
  }

  private void notify(String word) {
    try (PgNotices other = listening(database)) {
      other.send(word);
    }
  }
}
