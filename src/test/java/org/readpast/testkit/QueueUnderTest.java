package org.readpast.testkit;

import java.util.concurrent.Callable;
import org.readpast.api.JobQueue;
import org.readpast.api.JobState;

/**
 * Represents a queue with its engine: either that of the test kit, or the real one on PostgreSQL.
 */
interface QueueUnderTest extends AutoCloseable {
  void handler(Registered handler);

  /** Starts the engine, after all handlers have been registered. */
  void start();

  JobQueue jobs();

  <T> T transaction(Callable<T> doing) throws Exception;

  JobState state(long id);

  int attempt(long id);

  /** Advances time until the job has the given state. */
  void await(long id, JobState state);

  @Override
  void close();
}
