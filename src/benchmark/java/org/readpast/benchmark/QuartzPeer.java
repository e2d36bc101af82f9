package org.readpast.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;
import org.readpast.support.Database;

/**
 * Runs Quartz, clustered on PostgreSQL, with one stored job, and a trigger for each task that fires
 * once.
 */
final class QuartzPeer implements Peer {
  private static final int THREADS = 16;
  private static final int PER_TRANSACTION = 1_000;
  private static final JobDetail JOB =
      JobBuilder.newJob(Job.class).withIdentity("job").storeDurably().build();

  private final HikariDataSource pool;
  private final Scheduler scheduler;

  QuartzPeer(Database database) throws SQLException, SchedulerException {
    pool = PeerDatabase.pool(database, "quartz");
    PeerDatabase.executeResource(pool, JobStoreTX.class, "tables_postgres.sql");
    DBConnectionManager.getInstance().addConnectionProvider("peer", new Connections(pool));
    scheduler = new StdSchedulerFactory(settings()).getScheduler();
  }

  @Override
  public String name() {
    return "Quartz (clustered, 16 threads)";
  }

  @Override
  public void enqueue(int number) throws SchedulerException {
    scheduler.scheduleJob(trigger(number));
  }

  @Override
  public void enqueueAll(int jobs) throws SchedulerException {
    for (int from = 0; from < jobs; from += PER_TRANSACTION) {
      Set<Trigger> triggers =
          IntStream.range(from, Math.min(jobs, from + PER_TRANSACTION))
              .mapToObj(QuartzPeer::trigger)
              .collect(Collectors.toSet());
      scheduler.scheduleJobs(Map.of(JOB, triggers), true);
    }
  }

  @Override
  public void start(IntConsumer handler) throws SchedulerException {
    Job job = context -> handler.accept(Integer.parseInt(context.getTrigger().getKey().getName()));
    scheduler.setJobFactory((fired, ignored) -> job);
    scheduler.start();
  }

  @Override
  public void stop() throws SchedulerException {
    scheduler.standby();
  }

  @Override
  public void clear() throws SchedulerException {
    scheduler.clear();
    scheduler.addJob(JOB, true);
  }

  @Override
  public void close() throws SchedulerException {
    scheduler.shutdown(true);
    pool.close();
  }

  private static Trigger trigger(int number) {
    return TriggerBuilder.newTrigger()
        .withIdentity(Integer.toString(number))
        .forJob(JOB)
        .usingJobData("payload", PAYLOAD)
        .startNow()
        .build();
  }

  private static Properties settings() {
    var settings = new Properties();
    settings.putAll(
        Map.of(
            "org.quartz.scheduler.instanceName", "peer",
            "org.quartz.scheduler.instanceId", "AUTO",
            "org.quartz.threadPool.threadCount", Integer.toString(THREADS),
            // According to the documentation of Quartz, larger batches are more efficient, and
            // never exceed the number of idle threads.
            "org.quartz.scheduler.batchTriggerAcquisitionMaxCount", Integer.toString(THREADS),
            // According to the documentation of Quartz, the lock is required if a batch has more
            // than one trigger.
            "org.quartz.jobStore.acquireTriggersWithinLock", "true",
            "org.quartz.jobStore.class", JobStoreTX.class.getName(),
            "org.quartz.jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName(),
            "org.quartz.jobStore.dataSource", "peer",
            "org.quartz.jobStore.isClustered", "true"));
    // Quartz stores strings instead of serialized objects. The threshold is so high that no backlog
    // counts as a misfire.
    settings.put("org.quartz.jobStore.useProperties", "true");
    settings.put("org.quartz.jobStore.misfireThreshold", "600000");
    return settings;
  }

  private record Connections(HikariDataSource pool) implements ConnectionProvider {
    @Override
    public Connection getConnection() throws SQLException {
      return pool.getConnection();
    }

    @Override
    public void initialize() {}

    @Override
    public void shutdown() {}
  }
}
