package org.readpast.modeltest;

/**
 * Determines the main subject of a sequence. With fewer other commands, the sequence can test its
 * main subject more deeply.
 */
enum Focus {
  NOTHING(0.6, 0.65, 1, 0.8, 4),
  BATCHES(0.1, 0.9, 0, 0.95, 14),
  GROUPS(0.8, 0.1, 0, 0.95, 2),
  PREDECESSORS(0.9, 0.9, 6, 0.95, 1),
  CLAIMS(0.95, 0.95, 0, 0.7, 0),
  DEATHS(0.95, 0.6, 0, 0.95, 0);

  private final double withoutBatch;
  private final double withoutGroup;
  private final int predecessors;
  private final double withoutKey;
  private final int requests;

  Focus(
      double withoutBatch, double withoutGroup, int predecessors, double withoutKey, int requests) {
    this.withoutBatch = withoutBatch;
    this.withoutGroup = withoutGroup;
    this.predecessors = predecessors;
    this.withoutKey = withoutKey;
    this.requests = requests;
  }

  double withoutBatch() {
    return withoutBatch;
  }

  double withoutGroup() {
    return withoutGroup;
  }

  /**
   * Returns the weight of jobs with predecessors; the weight of jobs without predecessors is three.
   */
  int predecessors() {
    return predecessors;
  }

  double withoutKey() {
    return withoutKey;
  }

  /** Returns the weight of requests to change batches, out of a total of about a hundred. */
  int requests() {
    return requests;
  }
}
