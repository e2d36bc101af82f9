package org.readpast.engine;

import java.util.UUID;

/**
 * Who this engine is in the database: a new identity at each boot, and after each death that it
 * outlived.
 *
 * @param no the number by which it owns jobs
 */
record Node(UUID id, int no) {
  /** Of an engine that has not started. */
  static final Node NOBODY = new Node(new UUID(0, 0), 0);
}
