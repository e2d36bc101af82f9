package org.readpast.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Outage;
import org.readpast.database.TransientErrors;
import org.readpast.engine.Notices;
import org.readpast.model.SchemaName;

/**
 * Sends notifications on any connection, and receives them on a separate connection. A connection
 * that breaks is replaced, with increasing pauses between the attempts. If no notification has
 * arrived for some time, the connection is checked: a database host that loses its power or its
 * network does not close the connection, and after a failover no notification would ever arrive on
 * it.
 */
public final class PgNotices implements Notices {
  private static final Logger LOG = System.getLogger(PgNotices.class.getName());
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
  private static final int ANSWER_SECONDS = 5;

  /**
   * Names the channel, as an SQL expression. Channels are shared by all schemas of a database, so
   * the name contains the id of the table, which distinguishes installations.
   */
  public static final String CHANNEL =
      "concat('readpast_', cast(cast('readpast_job' as regclass) as oid))";

  // PostgreSQL delivers a notification once its commit has its position in the write-ahead log. The
  // write-ahead log need not reach the disk, because a notification does not survive a crash
  // anyway.
  private static final String NOTIFY =
      "select set_config('synchronous_commit', 'off', true), pg_notify(" + CHANNEL + ", ?)";

  private final Notices quiet = new QuietNotices();
  private final DataSource dataSource;
  private final SchemaName schema;
  private final Outage outage;
  private final long longestSilenceNanos;
  private long lastReceived = System.nanoTime();
  private @Nullable Connection connection;
  private @Nullable PgDriver driver;
  private @Nullable SQLException broke;
  private long notBefore = System.nanoTime();
  private int failures;

  public PgNotices(DataSource dataSource, SchemaName schema, Outage outage) {
    this(dataSource, schema, outage, LONGEST_SILENCE);
  }

  PgNotices(DataSource dataSource, SchemaName schema, Outage outage, Duration longestSilence) {
    this.dataSource = dataSource;
    this.schema = schema;
    this.outage = outage;
    this.longestSilenceNanos = longestSilence.toNanos();
  }

  @Override
  public List<String> await(Duration longest) throws InterruptedException {
    try {
      Connection open = connection;
      PgDriver listening = driver;
      if (open == null || listening == null) {
        if (System.nanoTime() - notBefore < 0) {
          return quiet.await(longest);
        }
        connection = open();
        lastReceived = System.nanoTime();
        failures = 0;
        logBreak();
        return List.of(MISSED);
      }
      List<String> messages = listening.notifications(open, (int) Math.max(1, longest.toMillis()));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!messages.isEmpty()) {
        lastReceived = System.nanoTime();
      } else if (System.nanoTime() - lastReceived > longestSilenceNanos) {
        requireAnswer(open);
        lastReceived = System.nanoTime();
      }
      return messages;
    } catch (SQLException e) {
      if (connection == null) {
        broke = null;
        outage.warn(
            LOG,
            "READPAST-0004 the connection for notifications could not be opened; the"
                + " node polls for jobs, and tries to open the connection again within 10 s",
            e);
      } else {
        broke = e;
        abandon();
      }
      notBefore =
          System.nanoTime()
              + Math.min(
                  LONGEST_PAUSE_NANOS,
                  TimeUnit.MILLISECONDS.toNanos(200L << Math.min(failures, 10)));
      failures++;
      return quiet.await(longest);
    }
  }

  /**
   * Logs that a connection broke. A single broken connection is not an outage, but the difference
   * is known only after another connection has been opened.
   */
  private void logBreak() {
    SQLException why = broke;
    broke = null;
    if (why != null) {
      LOG.log(
          outage.lasts() ? Level.DEBUG : Level.WARNING,
          "READPAST-0039 the connection for notifications broke and was opened again; in the"
              + " meantime, the node polled: "
              + why.getMessage());
    }
  }

  @Override
  public void send(String notice) {
    try {
      sendOnce(notice);
    } catch (IllegalStateException e) {
      if (!TransientErrors.isTransient(e)) {
        throw e;
      }
      // The pooled connection was probably broken, so try once more.
      sendOnce(notice);
    }
  }

  /**
   * Sends a notification with a statement that commits by itself, because a transaction would add a
   * round trip.
   */
  private void sendOnce(String notice) {
    try (Connection pooled = dataSource.getConnection();
        PreparedStatement statement = pooled.prepareStatement(schema.qualify(NOTIFY))) {
      statement.setString(1, notice);
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private Connection open() throws SQLException {
    Connection fresh = dataSource.getConnection();
    try (Statement statement = fresh.createStatement()) {
      driver = new PgDriver(fresh);
      statement.execute("listen " + channel(statement));
      return fresh;
    } catch (SQLException e) {
      fresh.close();
      throw e;
    }
  }

  private String channel(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(schema.qualify("select " + CHANNEL))) {
      row.next();
      return row.getString(1);
    }
  }

  /**
   * Checks that the connection responds within seconds, regardless of the timeouts of the data
   * source.
   */
  private static void requireAnswer(Connection silent) throws SQLException {
    if (!silent.isValid(ANSWER_SECONDS)) {
      // The driver has closed the connection; a statement that fails makes the server's pool remove
      // it.
      try (Statement statement = silent.createStatement()) {
        statement.execute("select 1");
      }
      throw new SQLException("the connection does not respond", "08006");
    }
  }

  private void abandon() {
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      try {
        broken.close();
      } catch (SQLException e) {
        LOG.log(Level.DEBUG, "closing a broken connection", e);
      }
    }
  }

  @Override
  public void close() {
    Connection open = connection;
    if (open != null) {
      try (Statement statement = open.createStatement()) {
        statement.execute("unlisten *");
      } catch (SQLException e) {
        LOG.log(Level.DEBUG, "returning a connection to the pool", e);
      }
    }
    abandon();
  }
}
