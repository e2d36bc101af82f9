package org.readpast.benchmark;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.readpast.support.Database;

/**
 * Runs db-scheduler with one-time tasks, and the settings from its README (configuration, polling
 * strategy).
 */
final class DbSchedulerPeer implements Peer {
  private static final int THREADS = 16;

  // The table is the one for PostgreSQL, without the index for priorities, which are disabled.
  private static final String TABLE =
      """
      create table scheduled_tasks (
        task_name text not null, task_instance text not null, task_data bytea,
        execution_time timestamptz, picked boolean not null, picked_by text,
        last_success timestamptz, last_failure timestamptz, consecutive_failures int,
        last_heartbeat timestamptz, version bigint not null, priority smallint, state text,
        primary key (task_name, task_instance));
      create index on scheduled_tasks (execution_time);
      create index on scheduled_tasks (last_heartbeat)
      """;

  private final HikariDataSource pool;
  private final OneTimeTask<String> task =
      Tasks.oneTime("job", String.class)
          .execute((job, context) -> this.handler.accept(Integer.parseInt(job.getId())));
  private volatile IntConsumer handler = number -> {};
  private volatile SchedulerClient client;

  DbSchedulerPeer(Database database) throws SQLException {
    pool = PeerDatabase.pool(database, "db_scheduler");
    PeerDatabase.execute(pool, TABLE);
    client = idleClient();
  }

  @Override
  public String name() {
    return "db-scheduler (lock-and-fetch, 16 threads)";
  }

  @Override
  public void enqueue(int number) {
    client.scheduleIfNotExists(job(number), Instant.now());
  }

  @Override
  public void enqueueAll(int jobs) {
    Stream<TaskInstance<?>> all = IntStream.range(0, jobs).mapToObj(this::job);
    client.scheduleBatch(all, Instant.now());
  }

  @Override
  public void start(IntConsumer handler) {
    this.handler = handler;
    var scheduler =
        Scheduler.create(pool, task)
            .threads(THREADS)
            // The README recommends 1.0 and 4.0 for a high throughput.
            .pollUsingLockAndFetch(1.0, 4.0)
            .pollingInterval(Duration.ofMillis(100))
            // Executes tasks that this scheduler schedules for the current time, without waiting
            // for a poll.
            .enableImmediateExecution()
            .build();
    scheduler.start();
    client = scheduler;
  }

  @Override
  public void stop() {
    if (client instanceof Scheduler scheduler) {
      scheduler.stop();
      client = idleClient();
    }
  }

  @Override
  public void clear() throws SQLException {
    PeerDatabase.execute(pool, "truncate scheduled_tasks");
  }

  @Override
  public void close() {
    stop();
    pool.close();
  }

  private TaskInstance<String> job(int number) {
    return task.instance(Integer.toString(number), PAYLOAD);
  }

  private SchedulerClient idleClient() {
    return SchedulerClient.Builder.create(pool, task).build();
  }
}
