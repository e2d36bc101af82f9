package org.readpast.server.recovery;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/**
 * Contains handlers, deployed into the server under test, that insert a row into the table {@code
 * effect} for each run. The table has no constraint that would hide a job that ran twice.
 */
@ApplicationScoped
public class EffectHandlers {
  private static final long THIS_SERVER = ProcessHandle.current().pid();

  /** The row and the completion of the job are in one transaction. */
  @JobType("effect.transactional")
  public record Transactional(int n, Behaviour behaviour) {}

  /** The row is committed immediately, before the job completes. */
  @JobType("effect.leased")
  public record Leased(int n, Behaviour behaviour) {}

  /**
   * Reports progress ten times a second for as long as the job would sleep, and inserts its row
   * only then.
   */
  @JobType("effect.reporting")
  public record Reporting(int n, Behaviour behaviour) {}

  /**
   * Specifies what a job does after it has inserted its row.
   *
   * @param millis the time for which it sleeps, unless it is interrupted
   * @param heldBy the process id of a server on which the job behaves differently; 0 if there is
   *     none
   * @param heldMillis how long the job runs on this server, ignoring interrupts; -1 if it halts the
   *     server
   */
  public record Behaviour(long millis, long heldBy, long heldMillis) {}

  @Resource(lookup = "jdbc/readpast")
  DataSource dataSource;

  @Handles
  @Receive(ReceiveMode.TRANSACTIONAL)
  public void transactional(Transactional job, JobContext context) throws Exception {
    work(job.n(), job.behaviour(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void leased(Leased job, JobContext context) throws Exception {
    work(job.n(), job.behaviour(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void reporting(Reporting job, JobContext context) throws Exception {
    long ticks = job.behaviour().millis() / 100;
    for (long i = 1; i <= ticks; i++) {
      context.log("tick " + i);
      context.progress(i, ticks);
      TimeUnit.MILLISECONDS.sleep(100);
    }
    leaveRow(job.n(), context.type());
  }

  private void work(int n, Behaviour behaviour, JobContext context)
      throws SQLException, InterruptedException {
    leaveRow(n, context.type());
    if (behaviour.heldBy() != THIS_SERVER && behaviour.heldBy() != Effects.ANY_SERVER) {
      TimeUnit.MILLISECONDS.sleep(behaviour.millis());
    } else if (behaviour.heldMillis() < 0) {
      Runtime.getRuntime().halt(1);
    } else {
      context.log("held by " + THIS_SERVER + " as " + context.type());
      boolean interrupted = hold(Duration.ofMillis(behaviour.heldMillis()));
      String line = LateWord.LET_GO + THIS_SERVER;
      context.log(interrupted ? "interrupted, " + line : line);
    }
  }

  private void leaveRow(int n, String type) throws SQLException {
    try (var connection = dataSource.getConnection();
        var insert =
            connection.prepareStatement("insert into effect (type, n, server) values (?, ?, ?)")) {
      insert.setString(1, type);
      insert.setInt(2, n);
      insert.setLong(3, THIS_SERVER);
      insert.executeUpdate();
    }
  }

  /** Returns true if the handler was interrupted and continued. */
  private static boolean hold(Duration span) {
    boolean interrupted = false;
    long end = System.nanoTime() + span.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
      interrupted |= Thread.interrupted();
    }
    return interrupted;
  }

  /** Is first loaded when a job is released, which may be while a server stops. */
  private static final class LateWord {
    // The text is not a constant, because the compiler would inline its value into the class that
    // uses it.
    static final String LET_GO = word();

    private static String word() {
      return "let go by ";
    }
  }
}
