package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.KeyRotation;
import org.readpast.api.Enqueued;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.engine.EndSignals;
import org.readpast.engine.Engine;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.QueueFigures;
import org.readpast.engine.Settings;
import org.readpast.engine.Signals;
import org.readpast.engine.SynchronousReceive;
import org.readpast.engine.TypeFigures;
import org.readpast.model.NewJob;
import org.readpast.model.RetentionRules;
import org.readpast.model.ScheduleDefinition;
import org.readpast.retention.Retention;
import org.readpast.store.Claims;
import org.readpast.store.JobEnd;

/**
 * Represents this application's engine for other beans, even before it has started and after it has
 * stopped.
 */
@ApplicationScoped
public class RunningEngine implements Enqueuer, Signals, EngineStatus {
  @Inject Callers callers;
  private static final Duration LAST_EVENTS = Duration.ofSeconds(3);

  private final MaintenanceTrigger maintenanceTrigger =
      new MaintenanceTrigger(this::maintain, System::nanoTime);
  private volatile @Nullable Engine engine;
  private @Nullable JobEventDispatcher eventDispatcher;
  private @Nullable Retention retention;
  private @Nullable KeyRotation keyRotation;
  private boolean stopped;

  /** Sets the engine; this method must be called before other beans use the instance. */
  void set(Engine made, JobEventDispatcher events, Retention retains, KeyRotation keys) {
    eventDispatcher = events;
    retention = retains;
    keyRotation = keys;
    engine = made;
  }

  @Nullable Engine get() {
    return engine;
  }

  private Engine running() {
    Engine current = engine;
    if (current == null) {
      throw notStarted();
    }
    return current;
  }

  static ReadpastException notStarted() {
    return new ReadpastException(
        "Readpast has not started yet; add @DependsOn(\"EngineBoot\") to a bean that enqueues"
            + " while the application starts");
  }

  @Override
  public List<Enqueued> enqueue(List<NewJob> jobs) {
    return running().enqueuer().enqueue(callers.signed(jobs));
  }

  @Override
  public void queueChanged(String queue) {
    running().signals().queueChanged(queue);
  }

  @Override
  public RetentionRules retention() {
    return running().signals().retention();
  }

  @Override
  public boolean wants(JobState state, String queue, String type) {
    return running().signals().wants(state, queue, type);
  }

  @Override
  public void ended(List<JobEnd> jobs) {
    running().signals().ended(jobs);
  }

  @Override
  public void restored(List<Claims.ReopenedLane> lanes) {
    running().signals().restored(lanes);
  }

  @Override
  public void dueIn(Duration wait) {
    running().signals().dueIn(wait);
  }

  @Override
  public void orderChanged() {
    running().signals().orderChanged();
  }

  @Override
  public void schedulesChanged() {
    running().signals().schedulesChanged();
  }

  @Override
  public void jobsAvailable(Collection<String> queues) {
    running().signals().jobsAvailable(queues);
  }

  /** Receives jobs for callers, in the callers' transactions. */
  public SynchronousReceive synchronousReceive() {
    return running().synchronousReceive();
  }

  /** Returns the component that tracks callers that wait for the end of a job. */
  EndSignals endSignals() {
    return running().endSignals();
  }

  @Override
  public List<QueueFigures> figures() {
    Engine current = engine;
    return current == null ? List.of() : current.figures();
  }

  @Override
  public List<TypeFigures> typeFigures() {
    Engine current = engine;
    return current == null ? List.of() : current.typeFigures();
  }

  @Override
  public Map<String, Settings.TypeConcurrency> typeLimits() {
    Engine current = engine;
    return current == null ? Map.of() : current.typeLimits();
  }

  @Override
  public int receivers() {
    Engine current = engine;
    return current == null ? 0 : current.receivers();
  }

  @Override
  public @Nullable UUID node() {
    Engine current = engine;
    return current == null ? null : current.node();
  }

  @Override
  public String storedType(String stated) {
    return running().storedType(stated);
  }

  /** Returns a copy of the job on behalf of the caller, in the version in which it is stored. */
  NewJob signed(NewJob job) {
    NewJob signed = callers.signed(job);
    return signed.ofType(storedType(signed.type()));
  }

  /** Warns if a schedule that is defined at run time leaves its jobs too little time to start. */
  public void checkLatestStart(ScheduleDefinition schedule) {
    running().checkLatestStart(schedule);
  }

  /**
   * Stops the engine while all classes can still be loaded. When Payara calls the
   * {@code @PreDestroy} methods of its EJBs, it no longer loads classes, so a class that a handler
   * or the engine needs for the first time is not found.
   */
  void stop(@Observes @BeforeDestroyed(ApplicationScoped.class) Object event) {
    stop();
  }

  /** Stops the engine, and returns when it has stopped, even if another caller has stopped it. */
  synchronized void stop() {
    Engine current = engine;
    if (current != null && !stopped) {
      current.stop();
      if (eventDispatcher != null) {
        eventDispatcher.close(LAST_EVENTS);
      }
      stopped = true;
    }
  }

  /** Returns the trigger of the maintenance tasks, which any node may run for all nodes. */
  MaintenanceTrigger maintenanceTrigger() {
    return maintenanceTrigger;
  }

  private void maintain() {
    Engine current = engine;
    Retention retains = retention;
    KeyRotation keys = keyRotation;
    if (current != null && retains != null && keys != null && !current.draining()) {
      current.maintenance().run();
      retains.run();
      keys.checkKeys();
    }
  }

  @Override
  public @Nullable Settings settings() {
    Engine current = engine;
    return current == null ? null : current.settings();
  }

  @Override
  public void logFailure(Logger log, Level level, String what, Throwable why) {
    Engine current = engine;
    if (current == null) {
      log.log(level, what, why);
    } else {
      current.logFailure(log, level, what, why);
    }
  }

  @Override
  public boolean schemaApplied() {
    return engine != null;
  }

  @Override
  public boolean listenerAlive() {
    Engine current = engine;
    return current != null && current.listenerAlive();
  }

  @Override
  public boolean databaseReachable() {
    Engine current = engine;
    return current != null && current.databaseReachable();
  }

  @Override
  public boolean draining() {
    Engine current = engine;
    return current != null && current.draining();
  }

  @Override
  public boolean shuttingDown() {
    Engine current = engine;
    return current != null && current.shuttingDown();
  }
}
