package org.readpast.rest;

/**
 * Who may do what: an admin may do all that an operator may, and an operator all that a viewer may.
 */
final class Roles {
  /** Sees everything. */
  static final String VIEWER = "readpast-viewer";

  /** Enqueues, cancels, resets, pauses. */
  static final String OPERATOR = "readpast-operator";

  /** Everything. */
  static final String ADMIN = "readpast-admin";

  private Roles() {}
}
