package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/** Handles a job in one transaction, together with its receive. */
@ApplicationScoped
@Receive(ReceiveMode.TRANSACTIONAL)
public class TransactionalHandler implements JobHandler<Work.Transactional> {
  @Inject Progress progress;

  @Override
  public JobResult handle(Work.Transactional job, JobContext context) throws InterruptedException {
    progress.done(context.id(), job.sentAt());
    return JobResult.done();
  }
}
