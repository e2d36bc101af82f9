package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.store.Listening;

/** How the engine of this application is. */
public interface EngineStatus {
  /** Whether the database has the tables this version works with. */
  boolean schemaApplied();

  /** Logs a failure, unless it belongs to an outage of the database, which is logged once. */
  void logFailure(Logger log, Level level, String what, Throwable why);

  /** Whether the listener goes round. */
  boolean dispatcherAlive();

  /** Whether the last heartbeat reached the database, not long ago. */
  boolean databaseReachable();

  /** Whether it is stopping, or has: no new work is taken. */
  boolean draining();

  /** What is said of it; null: it has not started yet. */
  @Nullable Settings settings();

  /** Whether that is because its application goes down; else somebody has drained it. */
  boolean goingDown();

  /** How it serves each queue in which something has happened. */
  List<Listening> listening();

  /** What it has done and may do in every queue. */
  List<QueueFigures> figures();

  /** Returns what it has done with the jobs of every type. */
  List<TypeFigures> typeFigures();

  /**
   * Returns the job types that have limits, by name, and how many of their jobs may run at a time.
   */
  Map<String, Settings.TypeConcurrency> typeLimits();

  /** Receivers at work, of as many as the settings allow. */
  int receivers();

  /**
   * What is stored for a type that a job is enqueued with: its version is the one that is stated,
   * or else the one that this engine handles, or else the first.
   */
  String storedType(String stated);

  /** As the other nodes know it; null: it has not started, or has been drained. */
  @Nullable UUID node();
}
