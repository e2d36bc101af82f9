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
 * Handlers, deployed into the server under test, that leave a row in the table {@code effect} for
 * each time that they run. Nothing in it hides a job that ran twice.
 */
@ApplicationScoped
public class EffectHandlers {
  private static final long THIS_SERVER = ProcessHandle.current().pid();

  /** Its row and its end are one transaction. */
  @JobType("effect.transactional")
  public record Transactional(int n, Behaviour behaviour) {}

  /** Its row is committed at once, before its end. */
  @JobType("effect.leased")
  public record Leased(int n, Behaviour behaviour) {}

  /** Reports ten times a second for as long as it would sleep, and only then leaves its row. */
  @JobType("effect.reporting")
  public record Reporting(int n, Behaviour behaviour) {}

  /**
   * What a job does after it has left its row.
   *
   * @param millis how long it sleeps, and heeds an interrupt
   * @param heldBy the process id of a server that it behaves otherwise in; 0: none
   * @param heldMillis how long that server takes for it, without heeding an interrupt; -1: it dies
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

  /** Whether there was an interrupt, which the work went on in spite of. */
  private static boolean hold(Duration span) {
    boolean interrupted = false;
    long end = System.nanoTime() + span.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
      interrupted |= Thread.interrupted();
    }
    return interrupted;
  }

  /**
   * A class that is not loaded before the first job is let go, which may be while a server stops.
   */
  private static final class LateWord {
    // No constant: the compiler would write that into the class that uses it.
    static final String LET_GO = word();

    private static String word() {
      return "let go by ";
    }
  }
}
