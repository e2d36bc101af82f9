package org.readpast.faults.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.readpast.api.JobContext;

/**
 * Does the work of the handlers of all applications. The handlers write a row to the table {@code
 * fault_effect}, or are very short. Handlers fail or kill the server at random.
 */
@ApplicationScoped
public class FaultWork {
  private static final int ONE_IN = 10;
  private static final int ONE_QUICK_IN = 300;

  @Resource(lookup = "jdbc/readpast")
  DataSource dataSource;

  /** Writes a row and sleeps; a poison job then halts its server. */
  public void work(int n, int millis, boolean poison, JobContext context) throws Exception {
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

  /** Ends immediately, and writes no row. */
  public void quick(int n, JobContext context) throws Exception {
    boolean well = !unlucky(n, context.attempt(), ONE_QUICK_IN);
    new Report(n, context.attempt()).begunAndOver(well);
    if (!well) {
      throw new IllegalStateException("one attempt in " + ONE_QUICK_IN + " fails");
    }
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
