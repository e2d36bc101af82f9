package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/** Handles up to ten jobs in one transaction, which also completes them. */
@ApplicationScoped
@Receive(value = ReceiveMode.TRANSACTIONAL, jobsPerTransaction = 10)
public class TogetherHandler implements JobHandler<Work.Together> {
  @Inject Progress progress;

  @Override
  public JobResult handle(Work.Together job, JobContext context) throws InterruptedException {
    progress.done(context.id(), job.sentAt());
    return JobResult.done();
  }
}
