package org.readpast.engine;

/** How the engine of this application is. */
public interface EngineStatus {
  /** Whether the database has the tables this version works with. */
  boolean schemaApplied();

  /** Whether the listener goes round. */
  boolean dispatcherAlive();

  /** Whether the last heartbeat reached the database, not long ago. */
  boolean databaseReachable();

  /** Whether it is stopping: no new work is taken. */
  boolean draining();
}
