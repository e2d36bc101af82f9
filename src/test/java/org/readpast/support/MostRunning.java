package org.readpast.support;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the RUNNING jobs in the database repeatedly, and keeps the highest count. */
public final class MostRunning implements AutoCloseable {
  private static final int FAILED = 1_000;

  private final AtomicInteger highest = new AtomicInteger();
  private final Thread sampler;
  private volatile boolean over;

  /**
   * @param such an SQL condition that selects the counted jobs
   */
  public MostRunning(Database database, String such) {
    sampler =
        new Thread(
            () ->
                sample(
                    database,
                    "select count(*) from readpast_job where state = 'RUNNING' and " + such));
    sampler.start();
  }

  private void sample(Database database, String counted) {
    try (var connection = database.connect();
        var count = connection.prepareStatement(counted)) {
      while (!over) {
        try (var rows = count.executeQuery()) {
          rows.next();
          highest.accumulateAndGet(rows.getInt(1), Math::max);
        }
      }
    } catch (SQLException e) {
      highest.set(FAILED);
    }
  }

  /** Returns the highest count so far. */
  public int get() {
    return highest.get();
  }

  /** Returns the highest count since the last call. */
  public int take() {
    return highest.getAndSet(0);
  }

  @Override
  public void close() {
    over = true;
    try {
      sampler.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
