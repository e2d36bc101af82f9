package org.readpast.server.faulty;

import jakarta.enterprise.context.ApplicationScoped;
import org.readpast.api.Handles;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.Retries;
import org.readpast.api.Scheduled;

/** Contains a valid handler whose annotation and configuration have invalid retry settings. */
@ApplicationScoped
public class FaultySettings {
  /** Has a handler with an invalid number of attempts. */
  @JobType("faulty.attempts")
  public record Attempts(String text) {}

  /** Has invalid settings in the configuration. */
  @JobType("faulty.configured")
  public record Configured(String text) {}

  @Handles
  @Retries(maxAttempts = 0)
  void attempts(Attempts payload) {}

  @Handles
  @Scheduled(name = "faulty.payload", every = "PT1M", payload = "[]")
  void configured(Configured payload) {}

  @Handles
  @Retries(delay = "10s")
  @JobType("faulty.delay")
  void delayed(String text) {}

  @Handles
  @Receive(timeout = "5 min")
  @JobType("faulty.timeout")
  void timed(String text) {}

  @Scheduled(name = "faulty.cron", cron = "0 0 30 2 *")
  void never() {}
}
