package org.readpast.faults.app.other;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.faults.app.FaultWork;

/**
 * Contains the handlers of a second application, which has no job types in common with the first
 * one.
 */
@ApplicationScoped
public class OtherHandlers {
  /** Holds the payload of a job whose row and end are in one transaction. */
  @JobType("other.transactional")
  public record Transactional(int n, int millis, boolean poison, String filling) {}

  /** Holds the payload of a job whose row is committed immediately. */
  @JobType("other.leased")
  public record Leased(int n, int millis, boolean poison, String filling) {}

  @Inject FaultWork work;

  @Handles
  @Receive(ReceiveMode.TRANSACTIONAL)
  public void transactional(Transactional job, JobContext context) throws Exception {
    work.work(job.n(), job.millis(), job.poison(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void leased(Leased job, JobContext context) throws Exception {
    work.work(job.n(), job.millis(), job.poison(), context);
  }
}
