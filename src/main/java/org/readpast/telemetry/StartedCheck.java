package org.readpast.telemetry;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;
import org.readpast.engine.EngineStatus;

/** Reports the application as started when the schema has been applied. */
@Startup
@ApplicationScoped
public class StartedCheck implements HealthCheck {
  @Inject EngineStatus engine;

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("readpast-schema").status(engine.schemaApplied()).build();
  }
}
