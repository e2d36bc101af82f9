package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/** Handles jobs at least once. */
@ApplicationScoped
@Receive(ReceiveMode.LEASED)
public class LeasedHandler implements JobHandler<Work.Leased> {
  @Inject Progress progress;

  @Override
  public JobResult handle(Work.Leased job, JobContext context) throws InterruptedException {
    progress.done(context.id(), job.sentAt());
    return JobResult.done();
  }
}
