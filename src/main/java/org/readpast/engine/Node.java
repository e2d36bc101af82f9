package org.readpast.engine;

import java.util.UUID;

/**
 * Identifies this engine in the database. The engine gets a new identity at each start, and
 * whenever it continues after it was declared dead.
 *
 * @param no the number under which the engine owns jobs
 */
record Node(UUID id, int no) {
  /** Identifies an engine that has not started. */
  static final Node NOBODY = new Node(new UUID(0, 0), 0);
}
