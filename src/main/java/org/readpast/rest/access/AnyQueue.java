package org.readpast.rest.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.readpast.model.Role;

/**
 * Admits callers that have a role for all unrestricted queues or for any single queue. Services of
 * type {@link org.readpast.admin.Scoped} limit what the callers of such a method see and change to
 * their queues.
 *
 * <p>This annotation is used instead of {@code @RolesAllowed}, because the server would otherwise
 * refuse callers that have roles only in single queues.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface AnyQueue {
  /** Returns the lowest role that is admitted. */
  Role value();
}
