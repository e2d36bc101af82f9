package org.readpast.rest;

import org.readpast.model.Role;

/** The roles over all unrestricted queues; each includes those before it. */
final class Roles {
  /** Sees everything. */
  static final String VIEWER = Role.General.VIEWER;

  /** Enqueues, cancels, resets, pauses. */
  static final String OPERATOR = Role.General.OPERATOR;

  /** Everything. */
  static final String ADMIN = Role.General.ADMIN;

  private Roles() {}
}
