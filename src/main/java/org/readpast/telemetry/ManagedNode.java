package org.readpast.telemetry;

import java.util.UUID;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.Settings;

/** Implements {@link NodeMXBean} for the engine. */
final class ManagedNode implements NodeMXBean {
  private final EngineStatus engine;
  private final String module;
  private final JmxOperations operations;

  ManagedNode(EngineStatus engine, String module, JmxOperations operations) {
    this.engine = engine;
    this.module = module;
    this.operations = operations;
  }

  @Override
  public String getName() {
    Settings settings = engine.settings();
    return settings == null ? "" : settings.node();
  }

  @Override
  public String getModule() {
    return module;
  }

  @Override
  public String getVersion() {
    Settings settings = engine.settings();
    return settings == null ? "" : settings.version();
  }

  @Override
  public String getId() {
    UUID node = engine.node();
    return node == null ? "" : node.toString();
  }

  @Override
  public int getWorkers() {
    Settings settings = engine.settings();
    return settings == null ? 0 : settings.workers();
  }

  @Override
  public int getBusyWorkers() {
    return engine.receivers();
  }

  @Override
  public boolean isDatabaseReachable() {
    return engine.databaseReachable();
  }

  @Override
  public boolean isDispatcherAlive() {
    return engine.listenerAlive();
  }

  @Override
  public boolean isDraining() {
    return engine.draining();
  }

  @Override
  public void drain() {
    operations.drain(engine.node());
  }
}
