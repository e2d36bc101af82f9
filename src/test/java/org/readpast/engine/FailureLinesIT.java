package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.FailNowException;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests that the log of an application alone shows that its jobs fail. */
class FailureLinesIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database);
  private final Logger logger = Logger.getLogger(OutcomeRecorder.class.getName());
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler seeing =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(
              line.getLevel()
                  + " "
                  + MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void see() {
    logger.addHandler(seeing);
  }

  @AfterEach
  void close() {
    logger.removeHandler(seeing);
    node.close();
  }

  @Test
  void trace_of_a_dead_letter_cannot_forge_log_lines() {
    node.handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              throw new FailNowException(
                  "no such address\nWARNING forged\r\nWARNING forged",
                  new IllegalStateException("of \u001b[31mred"));
            })
        .start();
    node.enqueue("t");
    Await.until(SOON, () -> lines.size() == 1);
    assertThat(lines.get(0).lines())
        .anyMatch(line -> line.contains("at org.readpast.engine.FailureLinesIT"))
        .anyMatch(line -> line.contains("Caused by: java.lang.IllegalStateException"))
        .noneMatch(line -> line.contains("\u001b"))
        .filteredOn(line -> !line.startsWith("    "))
        .hasSize(1);
  }

  @Test
  void each_failed_attempt_and_each_dead_letter_is_one_line() {
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              if (context.attempt() == 1) {
                throw new IllegalStateException("no mail server\nWARNING forged");
              }
              return JobResult.failNow("no such address");
            })
        .start();
    long id = node.enqueue("t");
    Await.until(
        SOON, () -> TestDatabase.count(database, "select count(*) from readpast_job_history") == 1);
    Await.until(SOON, () -> lines.size() == 2);
    assertThat(lines.get(0))
        .startsWith(
            "INFO READPAST-0078 attempt 1 of job "
                + id
                + " (t in queue q) failed; the job is retried in PT")
        .endsWith("java.lang.IllegalStateException: no mail server?WARNING forged");
    assertThat(lines.get(1))
        .startsWith(
            "WARNING READPAST-0079 job " + id + " (t in queue q) is DISCARDED after attempt 2: ")
        .endsWith("no such address");
  }
}
