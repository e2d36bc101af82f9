package org.readpast.faults.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/**
 * Work that leaves a row in the table {@code fault_effect}, or is very short; it fails or dies by
 * its own dice.
 */
@ApplicationScoped
public class FaultHandlers {
  private static final int ONE_IN = 10;
  private static final int ONE_QUICK_IN = 300;

  /** Its row and its end are one transaction. */
  @JobType("faults.transactional")
  public record Transactional(int n, int millis, boolean poison) {}

  /** Its row is committed at once. */
  @JobType("faults.leased")
  public record Leased(int n, int millis, boolean poison) {}

  /** So short that hundreds are begun at once. */
  @JobType("faults.quick")
  public record Quick(int n) {}

  /** What the schedule makes. */
  @JobType("faults.tick")
  public record Tick() {}

  @Resource(lookup = "jdbc/readpast")
  DataSource dataSource;

  @Handles
  @Receive(ReceiveMode.TRANSACTIONAL)
  public void transactional(Transactional job, JobContext context) throws Exception {
    work(job.n(), job.millis(), job.poison(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void leased(Leased job, JobContext context) throws Exception {
    work(job.n(), job.millis(), job.poison(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void quick(Quick job, JobContext context) throws Exception {
    boolean well = !unlucky(job.n(), context.attempt(), ONE_QUICK_IN);
    new Report(job.n(), context.attempt()).begunAndOver(well);
    if (!well) {
      throw new IllegalStateException("one attempt in " + ONE_QUICK_IN + " fails");
    }
  }

  @Handles
  public void tick(Tick tick) {}

  private void work(int n, int millis, boolean poison, JobContext context) throws Exception {
    Report report = new Report(n, context.attempt());
    report.begun();
    try {
      leaveRow(n, context.attempt());
      TimeUnit.MILLISECONDS.sleep(millis);
      if (poison) {
        Runtime.getRuntime().halt(1);
      }
      if (unlucky(n, context.attempt(), ONE_IN)) {
        throw new IllegalStateException("one attempt in " + ONE_IN + " fails");
      }
    } catch (Exception e) {
      report.over(false);
      throw e;
    }
    report.over(true);
  }

  private static boolean unlucky(int n, int attempt, int oneIn) {
    return new Random(31L * n + attempt).nextInt(oneIn) == 0;
  }

  private void leaveRow(int n, int attempt) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("insert into fault_effect (n, attempt) values (?, ?)")) {
      insert.setInt(1, n);
      insert.setInt(2, attempt);
      insert.executeUpdate();
    }
  }
}
