package org.readpast.engine;

import java.time.Duration;

/** The identity of this node, when it has reached the database, and whether it stops. */
final class NodeState {
  private volatile Node node = Node.NOBODY;
  private volatile boolean stopping;
  private volatile boolean goingDown;
  private volatile boolean retired;
  private final Outage outage;
  private volatile long lastBeat = System.nanoTime();

  NodeState(Outage outage) {
    this.outage = outage;
  }

  int no() {
    return node.no();
  }

  Node node() {
    return node;
  }

  /** Knows whether the database is unavailable. */
  Outage outage() {
    return outage;
  }

  /** Whether the others know of this node, or did. */
  boolean begun() {
    return retired || !node.equals(Node.NOBODY);
  }

  /** It has stopped, and its application continues without a worker. */
  void retire() {
    node = Node.NOBODY;
    retired = true;
  }

  boolean retired() {
    return retired;
  }

  /** Takes a new identity: at the start, or because it was declared dead. */
  void become(Node other) {
    node = other;
    lastBeat = System.nanoTime();
  }

  void beaten() {
    lastBeat = System.nanoTime();
    outage.reached();
  }

  boolean silentFor(Duration span) {
    return System.nanoTime() - lastBeat > span.toNanos();
  }

  /** Whether no more jobs are taken. */
  boolean stopping() {
    return stopping;
  }

  /** Whether that is because the application goes down. */
  boolean goingDown() {
    return goingDown;
  }

  /** Takes no more jobs. */
  void drain() {
    stopping = true;
  }

  void stop() {
    goingDown = true;
    stopping = true;
  }

  /** The database has answered, if only that it does not know of this node any more. */
  void answered() {
    lastBeat = System.nanoTime();
    outage.reached();
  }
}
