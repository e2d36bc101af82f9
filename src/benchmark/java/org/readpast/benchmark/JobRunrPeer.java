package org.readpast.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.jspecify.annotations.Nullable;
import org.readpast.support.Database;

/**
 * Runs JobRunr OSS with job requests, for which it does not analyze bytecode, so that it enqueues
 * faster.
 */
final class JobRunrPeer implements Peer {
  private static final int WORKERS = 16;
  // JobRunr does not accept a shorter interval on a database.
  private static final int POLL_SECONDS = 5;

  private final HikariDataSource pool;
  private final PostgresStorageProvider storage;
  private final JacksonJsonMapper json = new JacksonJsonMapper();
  private final JobRequestScheduler scheduler;
  private @Nullable BackgroundJobServer server;

  JobRunrPeer(Database database) {
    pool = PeerDatabase.pool(database, "jobrunr");
    storage = new PostgresStorageProvider(pool);
    storage.setJobMapper(new JobMapper(json));
    scheduler = new JobRequestScheduler(storage);
  }

  @Override
  public String name() {
    return "JobRunr OSS (16 workers)";
  }

  @Override
  public void enqueue(int number) {
    scheduler.enqueue(new Request(number, PAYLOAD));
  }

  @Override
  public void enqueueAll(int jobs) {
    scheduler.enqueue(IntStream.range(0, jobs).mapToObj(number -> new Request(number, PAYLOAD)));
  }

  @Override
  public void start(IntConsumer handler) {
    server =
        new BackgroundJobServer(
            storage,
            json,
            new HandsOut(handler),
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andWorkerCount(WORKERS)
                .andPollIntervalInSeconds(POLL_SECONDS));
    server.start();
  }

  @Override
  public void stop() {
    if (server != null) {
      server.stop();
      server = null;
    }
  }

  @Override
  public void clear() throws SQLException {
    PeerDatabase.execute(pool, "truncate jobrunr_jobs");
  }

  @Override
  public void close() {
    stop();
    scheduler.shutdown();
    storage.close();
    pool.close();
  }

  /** Provides JobRunr with its only handler. */
  private record HandsOut(IntConsumer handler) implements JobActivator {
    @Override
    public <T> T activateJob(Class<T> type) {
      return type.cast(new Handler(handler));
    }
  }

  /** The request is a class and not a record, because JobRunr's JSON mapping uses fields. */
  public static final class Request implements JobRequest {
    private int number;
    private String payload;

    @SuppressWarnings("unused")
    private Request() {}

    Request(int number, String payload) {
      this.number = number;
      this.payload = payload;
    }

    @Override
    public Class<Handler> getJobRequestHandler() {
      return Handler.class;
    }
  }

  /** Reports the start of a job, and does nothing else. */
  public static final class Handler implements JobRequestHandler<Request> {
    private final IntConsumer started;

    Handler(IntConsumer started) {
      this.started = started;
    }

    @Override
    public void run(Request request) {
      started.accept(request.number);
    }
  }
}
