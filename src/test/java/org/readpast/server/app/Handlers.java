package org.readpast.server.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.Backoff;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Retries;

/** Handles jobs with methods of a CDI bean. */
@ApplicationScoped
public class Handlers {
  @Inject Script script;

  @Handles
  void method(Payloads.ToMethod question) {
    script.saw(question.text(), question);
  }

  @Handles
  void versioned(Payloads.Versioned question, JobContext context) {
    script.saw(question.text(), context.type() + " " + context.version() + " " + question.number());
  }

  @Handles
  @Receive(timeout = "PT1S")
  @Retries(
      maxAttempts = 3,
      delay = "PT0.2S",
      backoff = Backoff.EXPONENTIAL,
      jitter = 0,
      abortOn = IllegalStateException.class)
  public JobResult transactional(Payloads.Transactional question, JobContext context)
      throws Exception {
    return script.run(question.step(), context);
  }

  @Handles
  @Receive(value = ReceiveMode.LEASED, timeout = "PT1S")
  @Retries(maxAttempts = 3, delay = "PT0.2S", jitter = 0)
  protected JobResult leased(Payloads.Leased question, JobContext context) throws Exception {
    return script.run(question.step(), context);
  }

  @Handles
  @Retries(maxAttempts = 4, delay = "PT1H", jitter = 0)
  public JobResult configured(Payloads.Configured question, JobContext context) throws Exception {
    return script.run(question.step(), context);
  }

  @Handles
  @Retries(maxAttempts = JobRequest.UNLIMITED, delay = "PT0.05S", backoff = Backoff.FIXED)
  public JobResult tireless(Payloads.Tireless question, JobContext context) throws Exception {
    return script.run(question.step(), context);
  }

  @Handles
  public JobResult patient(Payloads.Patient question, JobContext context) throws Exception {
    return script.run(question.step(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public JobResult patientLeased(Payloads.PatientLeased question, JobContext context)
      throws Exception {
    return script.run(question.step(), context);
  }
}
