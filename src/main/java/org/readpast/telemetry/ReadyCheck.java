package org.readpast.telemetry;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.readpast.engine.EngineStatus;

/**
 * Reports the application as ready while it can take requests. A drained node stays ready, because
 * it can still enqueue.
 */
@Readiness
@ApplicationScoped
public class ReadyCheck implements HealthCheck {
  @Inject EngineStatus engine;

  @Override
  public HealthCheckResponse call() {
    boolean schema = engine.schemaApplied();
    boolean dispatcher = engine.listenerAlive();
    boolean database = engine.databaseReachable();
    boolean draining = engine.draining();
    return HealthCheckResponse.named("readpast")
        .status(schema && (dispatcher || draining) && database && !engine.shuttingDown())
        .withData("schema-applied", schema)
        .withData("dispatcher-alive", dispatcher)
        .withData("database-reachable", database)
        .withData("draining", draining)
        .build();
  }
}
