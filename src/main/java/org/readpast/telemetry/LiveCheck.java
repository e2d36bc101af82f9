package org.readpast.telemetry;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.readpast.engine.EngineStatus;

/**
 * Reports that the application is live while its dispatcher is running. An unavailable database is
 * no reason for a restart.
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
