package org.readpast.telemetry;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.readpast.engine.EngineStatus;

/**
 * Reports the application as live while its dispatcher is running. An unavailable database does not
 * make the check fail, because a restart would not help.
 */
@Liveness
@ApplicationScoped
public class LiveCheck implements HealthCheck {
  @Inject EngineStatus engine;

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("readpast-dispatcher")
        .status(engine.listenerAlive() || engine.draining())
        .build();
  }
}
