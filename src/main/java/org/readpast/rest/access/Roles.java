package org.readpast.rest.access;

import org.readpast.model.Role;

/** Defines the general roles, for all unrestricted queues; each includes the roles before it. */
public final class Roles {
  /** This role may see everything. */
  public static final String VIEWER = Role.General.VIEWER;

  /** This role may also enqueue, cancel, reset and pause. */
  public static final String OPERATOR = Role.General.OPERATOR;

  /** This role may do everything. */
  public static final String ADMIN = Role.General.ADMIN;

  private Roles() {}
}
