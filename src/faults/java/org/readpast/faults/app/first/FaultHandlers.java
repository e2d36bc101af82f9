package org.readpast.faults.app.first;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.faults.app.FaultWork;

/** Contains the handlers of the application that most runs deploy on every server. */
@ApplicationScoped
public class FaultHandlers {
  /** Holds the payload of a job whose row and end are in one transaction. */
  @JobType("faults.transactional")
  public record Transactional(int n, int millis, boolean poison, String filling) {}

  /** Holds the payload of a job whose row is committed immediately. */
  @JobType("faults.leased")
  public record Leased(int n, int millis, boolean poison, String filling) {}

  /** Holds the payload of a job that is so short that hundreds begin at the same time. */
  @JobType("faults.quick")
  public record Quick(int n) {}

  /** Holds the payload of the job that the schedule creates. */
  @JobType("faults.tick")
  public record Tick() {}

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

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void quick(Quick job, JobContext context) throws Exception {
    work.quick(job.n(), context);
  }

  @Handles
  public void tick(Tick tick) {}
}
