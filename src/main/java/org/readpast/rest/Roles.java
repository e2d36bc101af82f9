package org.readpast.rest;

import org.readpast.model.Role;

/** Defines the general roles, over all unrestricted queues; each includes the roles before it. */
final class Roles {
  /** This role may see everything. */
  static final String VIEWER = Role.General.VIEWER;

  /** This role may also enqueue, cancel, reset and pause. */
  static final String OPERATOR = Role.General.OPERATOR;

  /** This role may do everything. */
  static final String ADMIN = Role.General.ADMIN;

  private Roles() {}
}
