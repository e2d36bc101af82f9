package org.readpast.model;

import java.util.Collection;
import java.util.Set;

/** Defines what callers may do; each role includes the roles before it. */
public enum Role {
  /** Grants no access. */
  NONE(""),
  /** Grants reading jobs, their results and queues. */
  VIEWER(Role.General.VIEWER),
  /** Grants enqueueing, cancelling, resetting and pausing. */
  OPERATOR(Role.General.OPERATOR),
  /** Grants purging and erasing, too; as a role for all queues, it grants everything. */
  ADMIN(Role.General.ADMIN);

  /** Contains the names by which the configuration refers to roles for all unrestricted queues. */
  public static final class General {
    /** Names the general role {@link Role#VIEWER}. */
    public static final String VIEWER = "readpast-viewer";

    /** Names the general role {@link Role#OPERATOR}. */
    public static final String OPERATOR = "readpast-operator";

    /** Names the general role {@link Role#ADMIN}. */
    public static final String ADMIN = "readpast-admin";

    /** Contains the names of all general roles. */
    public static final Set<String> ALL = Set.of(VIEWER, OPERATOR, ADMIN);

    private General() {}
  }

  private final String roleName;

  Role(String roleName) {
    this.roleName = roleName;
  }

  /** Returns true if this role includes the other role. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  /** Returns the highest role that the given names grant in all unrestricted queues. */
  static Role overAll(Collection<String> names) {
    Role highest = NONE;
    for (Role role : values()) {
      if (names.contains(role.roleName)) {
        highest = role;
      }
    }
    return highest;
  }
}
