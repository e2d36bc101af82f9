package org.readpast.server.faulty;

import jakarta.enterprise.context.ApplicationScoped;
import org.readpast.api.Handles;
import org.readpast.api.JobType;
import org.readpast.api.Retries;

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
  void configured(Configured payload) {}
}
