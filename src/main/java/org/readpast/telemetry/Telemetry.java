package org.readpast.telemetry;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Audit;
import org.readpast.admin.NodeControl;
import org.readpast.admin.Overview;
import org.readpast.admin.QueueControl;
import org.readpast.admin.store.QueueView;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.Instrumentation;
import org.readpast.engine.Threads;
import org.readpast.model.Owner;
import org.readpast.model.QueueRoles;

/**
 * Publishes the figures of this application's engine in every way that the server supports. This
 * class does not refer to types that a server may lack, because the container loads all types that
 * a bean refers to.
 */
@ApplicationScoped
public class Telemetry {
  private static final Logger LOG = System.getLogger(Telemetry.class.getName());

  @Inject EngineStatus engine;
  @Inject Overview overview;
  @Inject QueueControl queues;
  @Inject NodeControl nodes;
  @Inject Audit audit;
  @Inject Threads threads;
  @Inject QueueRoles roles;
  @Inject @Any Instance<Object> beans;

  private final JobInstrumentation instrumentation = new JobInstrumentation();
  private final List<MetricsPublisher> publishers = new ArrayList<>();
  private @Nullable Owner owner;
  private @Nullable MetricReadings readings;

  /** Returns the instrumentation that observes jobs. */
  public Instrumentation instrumentation() {
    return instrumentation;
  }

  /**
   * Starts publishing. Call this method before the engine takes its first job, so that no job is
   * missed; further calls are allowed.
   */
  public synchronized void start(Owner whose) {
    if (owner == null) {
      owner = whose;
      readings =
          new MetricReadings(
              engine::figures,
              engine::typeFigures,
              engine::typeLimits,
              this::depths,
              threads,
              System::nanoTime);
      with(
          "io.opentelemetry.api.OpenTelemetry",
          () -> Optional.spans(beans, whose, instrumentation));
    }
  }

  private List<QueueView> depths() {
    try {
      return overview.depths();
    } catch (RuntimeException e) {
      engine.logFailure(LOG, Level.DEBUG, "the depths of the queues could not be read", e);
      throw e;
    }
  }

  /**
   * Publishes changes to the queues and the busiest types. Call this method every few seconds on a
   * thread of the application, because queues can be created at any time.
   */
  public synchronized void update() {
    Owner whose = owner;
    MetricReadings read = readings;
    if (whose == null || read == null) {
      return;
    }
    if (publishers.isEmpty()) {
      publishers.add(
          new Management(
              engine,
              whose,
              read,
              new JmxOperations(queues, nodes, audit, threads),
              roles::restricts));
      // Payara does not publish its registry until after start().
      with(
          "org.eclipse.microprofile.metrics.MetricRegistry",
          () -> Optional.metrics(beans, whose, engine, read));
      with("io.opentelemetry.api.OpenTelemetry", () -> Optional.meters(beans, whose, engine, read));
    }
    publishers.forEach(MetricsPublisher::update);
  }

  /** Stops publishing; call this method after the engine has stopped. */
  public synchronized void stop() {
    owner = null;
    instrumentation.spans(null);
    publishers.forEach(
        one -> {
          try {
            one.stop();
          } catch (RuntimeException e) {
            LOG.log(
                Level.WARNING,
                "READPAST-0074 metrics or JMX beans could not be removed when the engine"
                    + " stopped; restart the server if the application is deployed there"
                    + " again",
                e);
          }
        });
    publishers.clear();
  }

  private void with(String type, Supplier<@Nullable MetricsPublisher> maker) {
    try {
      Class.forName(type, false, Telemetry.class.getClassLoader());
      MetricsPublisher one = maker.get();
      if (one != null) {
        publishers.add(one);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      LOG.log(Level.DEBUG, "this server does not have {0}", type);
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "READPAST-0075 this server has "
              + type
              + ", but it could not be used; its spans or metrics are missing until the"
              + " application starts again",
          e);
    }
  }

  /** Refers to types that a server may lack; this class is loaded only if they exist. */
  private static final class Optional {
    static @Nullable MetricsPublisher spans(
        Instance<Object> beans, Owner owner, JobInstrumentation instrumentation) {
      var telemetry = bean(beans, io.opentelemetry.api.OpenTelemetry.class);
      instrumentation.spans(
          telemetry == null ? null : OpenTelemetryJobs.of(telemetry, owner.application()));
      return null;
    }

    static @Nullable MetricsPublisher meters(
        Instance<Object> beans, Owner owner, EngineStatus engine, MetricReadings readings) {
      var telemetry = bean(beans, io.opentelemetry.api.OpenTelemetry.class);
      return telemetry == null
          ? null
          : new OpenTelemetryMetrics(telemetry, owner.application(), engine, readings);
    }

    static @Nullable MetricsPublisher metrics(
        Instance<Object> beans, Owner owner, EngineStatus engine, MetricReadings readings) {
      var registry = bean(beans, org.eclipse.microprofile.metrics.MetricRegistry.class);
      return registry == null
          ? null
          : new MicroProfileMetrics(registry, owner.application(), engine, readings);
    }

    private static <T> @Nullable T bean(Instance<Object> beans, Class<T> type) {
      Instance<T> found = beans.select(type, Default.Literal.INSTANCE);
      return found.isResolvable() ? found.get() : null;
    }
  }
}
