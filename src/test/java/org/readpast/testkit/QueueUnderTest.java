package org.readpast.testkit;

import java.util.concurrent.Callable;
import org.readpast.api.JobQueue;
import org.readpast.api.JobState;

/** A queue with its engine: that of the test kit, or the real one on PostgreSQL. */
interface QueueUnderTest extends AutoCloseable {
  void handler(Registered handler);

  /** Once all handlers are known. */
  void start();

  JobQueue jobs();

  <T> T transaction(Callable<T> doing) throws Exception;

  JobState state(long id);

  int attempt(long id);

  /** Lets time pass until the job stands so. */
  void await(long id, JobState state);

  @Override
  void close();
}
