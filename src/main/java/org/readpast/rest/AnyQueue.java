package org.readpast.rest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.readpast.model.Role;

/**
 * Admits callers that have a role over all unrestricted queues, or in a single one. What they see
 * and change behind it is limited to these queues by {@link org.readpast.admin.Scoped}.
 *
 * <p>Not {@code @RolesAllowed}, by which a server would refuse the callers of single queues itself.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@interface AnyQueue {
  /** The least role. */
  Role value();
}
