package org.readpast.server.acceptance;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.readpast.api.Backoff;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Retries;

/**
 * Contains handlers, deployed into the servers under test, that take a given time and record when
 * they began and ended.
 */
@ApplicationScoped
public class TimedHandlers {
  /** Records the times in the transaction of the job. */
  @JobType("timed.transactional")
  public record Transactional(String name, long millis) {}

  /**
   * Records the times and commits immediately.
   *
   * @param failures the number of attempts that fail before one succeeds
   */
  @JobType("timed.leased")
  public record Leased(String name, long millis, int failures) {}

  @Resource(lookup = "jdbc/readpast")
  DataSource dataSource;

  @Handles
  @Receive(ReceiveMode.TRANSACTIONAL)
  public void transactional(Transactional job, JobContext context) throws Exception {
    work(job.name(), job.millis(), context, false);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  @Retries(backoff = Backoff.FIXED, delay = "PT0.05S", jitter = 0)
  public void leased(Leased job, JobContext context) throws Exception {
    boolean fails = context.attempt() <= job.failures();
    work(job.name(), job.millis(), context, fails);
    if (fails) {
      throw new IllegalStateException("as asked");
    }
  }

  private void work(String name, long millis, JobContext context, boolean fails)
      throws SQLException, InterruptedException {
    Instant began = Instant.now();
    TimeUnit.MILLISECONDS.sleep(millis);
    Instant ended = Instant.now();
    try (var connection = dataSource.getConnection();
        var insert =
            connection.prepareStatement(
                "insert into execution (name, attempt, server, began, ended, failed)"
                    + " values (?, ?, ?, ?, ?, ?)")) {
      insert.setString(1, name);
      insert.setInt(2, context.attempt());
      insert.setLong(3, ProcessHandle.current().pid());
      insert.setObject(4, began.atOffset(ZoneOffset.UTC));
      insert.setObject(5, ended.atOffset(ZoneOffset.UTC));
      insert.setBoolean(6, fails);
      insert.executeUpdate();
    }
  }
}
