package org.readpast.rest.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.readpast.model.Role;

/**
 * Admits callers that have a role for all unrestricted queues or for a single queue. {@link
 * org.readpast.admin.Scoped} limits what they see and change to these queues.
 *
 * <p>This annotation is used instead of {@code @RolesAllowed}, with which the server itself would
 * refuse callers that have roles for single queues only.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface AnyQueue {
  /** Returns the lowest role that is admitted. */
  Role value();
}
