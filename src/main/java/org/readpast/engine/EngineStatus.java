package org.readpast.engine;

import java.util.List;
import org.readpast.store.Listening;

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

  /** How it serves each queue. */
  List<Listening> listening();
}
