package org.readpast.jobs;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.LeasedModePredicate;

/** Handles {@link Ping}: sleeps, fails or succeeds, as its payload specifies. */
@ApplicationScoped
public class PingHandler implements JobHandler<Ping>, LeasedModePredicate<Ping> {
  @Override
  public JobResult handle(Ping ping, JobContext context) throws InterruptedException {
    if (ping.sleep() != null) {
      TimeUnit.NANOSECONDS.sleep(ping.sleep().toNanos());
    }
    if (ping.fail() != null && context.attempt() <= ping.fail()) {
      throw new IllegalStateException(
          "attempt " + context.attempt() + " of " + ping.fail() + " attempts that fail on request");
    }
    return JobResult.done();
  }

  @Override
  public boolean leased(Ping ping) {
    return ping.mode() == ReceiveMode.LEASED;
  }
}
