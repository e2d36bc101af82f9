package org.readpast.telemetry;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.readpast.engine.EngineStatus;

/** Live while the dispatcher goes round; a database that is away is no reason to restart. */
@Liveness
@ApplicationScoped
public class LiveCheck implements HealthCheck {
  @Inject EngineStatus engine;

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("readpast-dispatcher")
        .status(engine.dispatcherAlive() || engine.draining())
        .build();
  }
}
