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
              + "'; it takes the role "
              + role
              + " there: ask an administrator for it");
    }
  }

  static AccessDeniedException batch(String name) {
    return new AccessDeniedException(
        "your roles do not allow this for batch '"
            + Names.excerpt(name)
            + "': it has jobs of a queue that they do not cover; choose another name");
  }

  static AccessDeniedException repeated(String key) {
    return new AccessDeniedException(
        "the request with the key '"
            + Names.excerpt(key)
            + "' was done and answered when you had roles that you have no longer; it is not done"
            + " again, and its answer is not repeated: look up what it did");
  }

  static AccessDeniedException filling(String type) {
    return new AccessDeniedException(
        "jobs of type '"
            + type
            + "' fill rules of any queue, and your roles do not cover every queue; run the rule by"
            + " POST /api/rules/{name}/runs");
  }
}
