package org.readpast.server.app;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;

/** Handles jobs as a CDI bean. */
@Dependent
public class BeanHandler implements JobHandler<Payloads.ToBean> {
  @Inject Script script;

  @Override
  public JobResult handle(Payloads.ToBean question, JobContext context) {
    script.saw(question.text(), question);
    return JobResult.done();
  }
}
