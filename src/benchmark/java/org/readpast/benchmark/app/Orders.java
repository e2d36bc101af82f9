package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.SQLException;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;

/** Writes a row of business data with each enqueue and with each job, in the same transaction. */
@ApplicationScoped
public class Orders implements JobHandler<Work.Order> {
  @Inject JobQueue jobs;
  @Inject Progress progress;

  @Inject
  @ConfigProperty(name = "benchmark.business", defaultValue = "jdbc/readpast")
  String dataSource;

  /** Writes a row and enqueues a job. */
  @Transactional
  public void take(String queue) {
    write();
    jobs.enqueue(JobRequest.of(new Work.Order(Sender.TEXT)).queue(queue));
  }

  @Override
  public JobResult handle(Work.Order job, JobContext context) throws InterruptedException {
    write();
    progress.done(context.id(), 0);
    return JobResult.done();
  }

  private void write() {
    try (var connection = InitialContext.<DataSource>doLookup(dataSource).getConnection();
        var insert = connection.prepareStatement("insert into benchmark_order values (?)")) {
      insert.setString(1, Sender.TEXT);
      insert.executeUpdate();
    } catch (SQLException | NamingException e) {
      throw new IllegalStateException(e);
    }
  }
}
