package org.readpast.engine;

import java.time.Duration;

/** How this node stands: its identity, whether it is cautious, whether it stops. */
final class NodeState {
  private volatile Node node = Node.NOBODY;
  private volatile boolean cautious = true;
  private volatile boolean stopping;
  private volatile boolean goingDown;
  private volatile boolean retired;
  private final Duration lease;
  private volatile long lastBeat = System.nanoTime();
  private volatile long steadySince;

  NodeState(Duration lease) {
    this.lease = lease;
  }

  int no() {
    return node.no();
  }

  Node node() {
    return node;
  }

  /** Starts; what it sees from now on is no echo of a time in which it was cut off. */
  void begin(Node first) {
    become(first);
    steadySince = lastBeat - lease.toNanos();
  }

  /** Whether the others know of this node, or did. */
  boolean begun() {
    return retired || !node.equals(Node.NOBODY);
  }

  /**
   * It has stopped, and its application goes on: what that does from now on bears no mark of a node
   * that others would take for one left open.
   */
  void retire() {
    node = Node.NOBODY;
    retired = true;
  }

  boolean retired() {
    return retired;
  }

  /** Declared dead, and born again. */
  void become(Node other) {
    node = other;
    cautious = true;
    lastBeat = System.nanoTime();
    steadySince = lastBeat;
  }

  void beaten(boolean beCautious) {
    long now = System.nanoTime();
    if (now - lastBeat > lease.toNanos() * 2 / 3) {
      steadySince = now;
    }
    cautious = beCautious;
    lastBeat = now;
  }

  /**
   * Whether its own heartbeats have come through for a whole lease. One that was cut off must not
   * take the silence of the others, who may have been cut off with it, for their death.
   */
  boolean steady() {
    long now = System.nanoTime();
    return now - steadySince >= lease.toNanos() && now - lastBeat <= lease.toNanos();
  }

  /** Whether claims are committed before the work, so that a crash is counted. */
  boolean cautious() {
    return cautious;
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
  }
}
