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

/** Work that leaves a row in the table {@code fault_effect}, and fails or dies by its own dice. */
@ApplicationScoped
public class FaultHandlers {
  private static final int ONE_IN = 10;

  /** Its row and its end are one transaction. */
  @JobType("faults.transactional")
  public record Transactional(int n, int millis, boolean poison) {}

  /** Its row is committed at once. */
  @JobType("faults.leased")
  public record Leased(int n, int millis, boolean poison) {}

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
  public void tick(Tick tick) {}

  private void work(int n, int millis, boolean poison, JobContext context) throws Exception {
    try (Report report = new Report(n, context.attempt())) {
      try {
        leaveRow(n, context.attempt());
        TimeUnit.MILLISECONDS.sleep(millis);
        if (poison) {
          Runtime.getRuntime().halt(1);
        }
        if (new Random(31L * n + context.attempt()).nextInt(ONE_IN) == 0) {
          throw new IllegalStateException("one attempt in " + ONE_IN + " fails");
        }
      } catch (Exception e) {
        report.over(false);
        throw e;
      }
      report.over(true);
    }
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
