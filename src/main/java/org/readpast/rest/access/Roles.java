package org.readpast.rest.access;

import org.readpast.model.Role;

/** Defines the roles for all unrestricted queues; each includes those before it. */
public final class Roles {
  /** May see everything. */
  public static final String VIEWER = Role.General.VIEWER;

  /** May enqueue, cancel, reset and pause. */
  public static final String OPERATOR = Role.General.OPERATOR;

  /** May do everything. */
  public static final String ADMIN = Role.General.ADMIN;

  private Roles() {}
}
