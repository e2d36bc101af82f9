package org.readpast.engine;

import java.time.Duration;
import org.readpast.database.Outage;

/**
 * Holds the state of this node: its identity, when it last reached the database, and whether it is
 * stopping.
 */
final class NodeState {
  private volatile Node node = Node.NOBODY;
  private volatile boolean stopping;
  private volatile boolean shuttingDown;
  private volatile boolean retired;
  private final Outage outage;
  private final Duration lease;
  private volatile long lastBeat = System.nanoTime();

  NodeState(Outage outage, Duration lease) {
    this.outage = outage;
    this.lease = lease;
  }

  int no() {
    return node.no();
  }

  Node node() {
    return node;
  }

  /** Returns the object that tracks outages of the database. */
  Outage outage() {
    return outage;
  }

  /** Returns true if other nodes know this node, or knew it earlier. */
  boolean registered() {
    return retired || !node.equals(Node.NOBODY);
  }

  /** Records that this node has stopped while its application continues without a worker. */
  void retire() {
    node = Node.NOBODY;
    retired = true;
  }

  boolean retired() {
    return retired;
  }

  /** Gives this node a new identity, when it starts or after it was declared dead. */
  void become(Node other) {
    node = other;
    lastBeat = System.nanoTime();
  }

  boolean silentFor(Duration span) {
    return System.nanoTime() - lastBeat > span.toNanos();
  }

  /** Returns true if other nodes may have declared this node dead, and have taken over its jobs. */
  boolean leaseExpired() {
    return silentFor(lease);
  }

  /** Returns true if this node no longer claims jobs. */
  boolean stopping() {
    return stopping;
  }

  /** Returns true if this node no longer claims jobs because its application shuts down. */
  boolean shuttingDown() {
    return shuttingDown;
  }

  /** Makes this node stop claiming jobs. */
  void drain() {
    stopping = true;
  }

  void stop() {
    shuttingDown = true;
    stopping = true;
  }

  /**
   * Records that the database has responded, even if only to report that it no longer knows this
   * node.
   */
  void databaseAnswered() {
    lastBeat = System.nanoTime();
    outage.reached();
  }
}
