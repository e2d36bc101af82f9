package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a CDI observer hear of jobs that have ended in one way only: {@code void
 * dead(@Observes @InState(JobState.DISCARDED) JobEvent job)}. See {@link JobEvent} for what is
 * told, and when.
 *
 * <p>Readpast makes it a qualifier wherever its library is deployed.
 */
@Documented
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface InState {
  /** COMPLETED, DISCARDED, CANCELLED or EXPIRED. */
  JobState value();
}
