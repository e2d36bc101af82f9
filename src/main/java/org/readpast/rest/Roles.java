package org.readpast.rest;

import org.readpast.model.Role;

/** Defines the roles for all unrestricted queues; each includes those before it. */
final class Roles {
  /** May see everything. */
  static final String VIEWER = Role.General.VIEWER;

  /** May enqueue, cancel, reset and pause. */
  static final String OPERATOR = Role.General.OPERATOR;

  /** May do everything. */
  static final String ADMIN = Role.General.ADMIN;

  private Roles() {}
}
