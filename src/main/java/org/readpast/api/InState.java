package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Selects the {@link JobEvent}s that a CDI observer receives, as in this example:
 *
 * <pre>{@code
 * void dead(@Observes @InState(JobState.DISCARDED) JobEvent job) { … }
 *
 * void unpaid(
 *     @Observes @InState(value = {JobState.DISCARDED, JobState.EXPIRED}, type = "invoice.send")
 *         JobEvent job) { … }
 * }</pre>
 *
 * <p>An event must match every member that is set; a member that is not set matches all events. A
 * state that is not final, or a value that cannot be the name of a type or queue, stops the
 * deployment.
 *
 * <p>Readpast registers this annotation as a qualifier wherever its library is deployed.
 */
@Documented
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface InState {
  /**
   * Specifies the final states: COMPLETED, DISCARDED, CANCELLED or EXPIRED; all of them if empty.
   */
  JobState[] value() default {};

  /** Specifies the names of job types; all job types if empty. */
  String[] type() default {};

  /** Specifies the names of queues; all queues if empty. */
  String[] queue() default {};
}
