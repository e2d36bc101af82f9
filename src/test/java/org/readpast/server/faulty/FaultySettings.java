package org.readpast.server.faulty;

import jakarta.enterprise.context.ApplicationScoped;
import org.readpast.api.Handles;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.Retries;
import org.readpast.api.Scheduled;

/** Right as a handler, wrong in what it and its configuration say of retries. */
@ApplicationScoped
public class FaultySettings {
  /** A payload whose handler says a number of attempts that makes no sense. */
  @JobType("faulty.attempts")
  public record Attempts(String text) {}

  /** A payload of which configuration says nonsense. */
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
