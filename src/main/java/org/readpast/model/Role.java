package org.readpast.model;

import java.util.Collection;
import java.util.Set;

/** What callers may do; each role includes those before it. */
public enum Role {
  /** Nothing. */
  NONE(""),
  /** Sees jobs, queues and what becomes of them. */
  VIEWER(Role.General.VIEWER),
  /** Enqueues, cancels, resets, pauses. */
  OPERATOR(Role.General.OPERATOR),
  /** Purges and erases as well; over all queues: everything. */
  ADMIN(Role.General.ADMIN);

  /** What each role is called in the configuration, where it covers all unrestricted queues. */
  public static final class General {
    /** {@link Role#VIEWER}. */
    public static final String VIEWER = "readpast-viewer";

    /** {@link Role#OPERATOR}. */
    public static final String OPERATOR = "readpast-operator";

    /** {@link Role#ADMIN}. */
    public static final String ADMIN = "readpast-admin";

    /** All of them. */
    public static final Set<String> ALL = Set.of(VIEWER, OPERATOR, ADMIN);

    private General() {}
  }

  private final String roleName;

  Role(String roleName) {
    this.roleName = roleName;
  }

  /** Returns true if it includes the other role. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  /** Returns the highest role that these names give over all unrestricted queues. */
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
