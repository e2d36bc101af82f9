package org.readpast.engine;

import java.time.Duration;

/** How this node stands: its identity, whether it is cautious, whether it stops. */
final class NodeState {
  private volatile Node node;
  private volatile boolean cautious = true;
  private volatile boolean stopping;
  private volatile long lastBeat = System.nanoTime();

  NodeState(Node node) {
    this.node = node;
  }

  int no() {
    return node.no();
  }

  Node node() {
    return node;
  }

  /** Declared dead, and born again. */
  void become(Node other) {
    node = other;
    cautious = true;
    lastBeat = System.nanoTime();
  }

  void beaten(boolean beCautious) {
    cautious = beCautious;
    lastBeat = System.nanoTime();
  }

  /** Whether claims are committed before the work, so that a crash is counted. */
  boolean cautious() {
    return cautious;
  }

  boolean silentFor(Duration span) {
    return System.nanoTime() - lastBeat > span.toNanos();
  }

  boolean stopping() {
    return stopping;
  }

  void stop() {
    stopping = true;
  }
}
