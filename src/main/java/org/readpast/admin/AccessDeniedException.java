package org.readpast.admin;

import org.readpast.api.ReadpastException;
import org.readpast.model.Names;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;

/** Reports that the caller lacks the role for a change in a queue; nothing was changed. */
public class AccessDeniedException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  private AccessDeniedException(String message) {
    super(message);
  }

  /**
   * Refuses a caller that lacks a role in a queue. The message is the same for a queue that the
   * caller does not see and for a queue that does not exist.
   */
  static void require(QueueAccess access, Role role, String queue) {
    if (!access.has(role, queue)) {
      throw new AccessDeniedException(
          "your roles do not allow this in queue '"
              + Names.excerpt(queue)
              + "'; the role "
              + role
              + " in this queue is required: ask an administrator for it");
    }
  }

  static AccessDeniedException batch(String name) {
    return new AccessDeniedException(
        "your roles do not allow this for batch '"
            + Names.excerpt(name)
            + "': the batch has jobs in a queue that you may not change; choose another"
            + " name");
  }

  static AccessDeniedException repeated(String key) {
    return new AccessDeniedException(
        "a request with the idempotency key '"
            + Names.excerpt(key)
            + "' was executed when you had roles that you no longer have. It is not"
            + " executed again, and its response is not repeated; check the changes that"
            + " it made");
  }

  static AccessDeniedException filling(String type) {
    return new AccessDeniedException(
        "jobs of type '"
            + type
            + "' can run the rules of any queue, but your roles do not cover every queue;"
            + " run the rule with POST /api/rules/{name}/runs");
  }
}
