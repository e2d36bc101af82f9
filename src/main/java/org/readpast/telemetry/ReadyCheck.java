package org.readpast.telemetry;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.readpast.engine.EngineStatus;

/**
 * Ready while it can take requests. That somebody has drained its node is no reason to send them
 * elsewhere: it goes on to enqueue.
 */
@Readiness
@ApplicationScoped
public class ReadyCheck implements HealthCheck {
  @Inject EngineStatus engine;

  @Override
  public HealthCheckResponse call() {
    boolean schema = engine.schemaApplied();
    boolean dispatcher = engine.dispatcherAlive();
    boolean database = engine.databaseReachable();
    boolean draining = engine.draining();
    return HealthCheckResponse.named("readpast")
        .status(schema && (dispatcher || draining) && database && !engine.goingDown())
        .withData("schema-applied", schema)
        .withData("dispatcher-alive", dispatcher)
        .withData("database-reachable", database)
        .withData("draining", draining)
        .build();
  }
}
