package org.readpast.server.acceptance;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import org.readpast.api.Handles;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/** Works for the time given in the payload, in the server under test. */
@ApplicationScoped
public class TimedWork {

  /** Specifies the time that the work takes. */
  @JobType("timed.work")
  public record Work(long millis) {}

  @Handles
  @Receive(value = ReceiveMode.LEASED, timeout = "PT20M")
  public void work(Work work) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(work.millis());
  }
}
