package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Chooses the {@link JobEvent}s that a CDI observer receives:
 *
 * <pre>{@code
 * void dead(@Observes @InState(JobState.DISCARDED) JobEvent job) { … }
 *
 * void unpaid(
 *     @Observes @InState(value = {JobState.DISCARDED, JobState.EXPIRED}, type = "invoice.send")
 *         JobEvent job) { … }
 * }</pre>
 *
 * <p>An event must match each member; a member that is left out matches every event. A state that
 * is not final, and what cannot be the name of a type or a queue, stops the deployment.
 *
 * <p>Readpast makes it a qualifier wherever its library is deployed.
 */
@Documented
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface InState {
  /** One or more of COMPLETED, DISCARDED, CANCELLED and EXPIRED; empty: all of them. */
  JobState[] value() default {};

  /** Names of job types; empty: all types. */
  String[] type() default {};

  /** Names of queues; empty: all queues. */
  String[] queue() default {};
}
