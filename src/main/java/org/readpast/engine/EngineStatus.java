package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Describes the state of the engine of this application. */
public interface EngineStatus {
  /** Returns true if the database has the tables that this version requires. */
  boolean schemaApplied();

  /** Logs a failure, unless it belongs to an outage of the database, which is logged only once. */
  void logFailure(Logger log, Level level, String what, Throwable why);

  /** Returns true if the listener is running. */
  boolean listenerAlive();

  /** Returns true if a heartbeat has reached the database recently. */
  boolean databaseReachable();

  /** Returns true if the engine is stopping or has stopped, and takes no new jobs. */
  boolean draining();

  /** Returns the settings of the engine; null if it has not started yet. */
  @Nullable Settings settings();

  /**
   * Returns true if the engine stops because its application shuts down. If the engine is stopping
   * for another reason, an operator has drained it.
   */
  boolean shuttingDown();

  /** Returns the counts and limits of every queue. */
  List<QueueFigures> figures();

  /** Returns the counts of every job type. */
  List<TypeFigures> typeFigures();

  /**
   * Returns the job types that have limits, by name, with the maximum number of their concurrent
   * jobs.
   */
  Map<String, Settings.TypeConcurrency> typeLimits();

  /**
   * Returns the number of receivers, including those that linger. The settings limit the number of
   * receivers.
   */
  int receivers();

  /**
   * Returns the stored form of the type with which a job is enqueued. The stored form contains the
   * given version; without one, it contains the version that this engine handles, or else the first
   * version.
   */
  String storedType(String stated);

  /**
   * Returns the id by which other nodes know this node; null if it has not started, or has been
   * drained.
   */
  @Nullable UUID node();
}
