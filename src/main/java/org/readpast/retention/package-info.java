/**
 * Removes what is no longer kept: ended jobs, attempts, batches, runs of schedules, nodes, audit
 * entries, unused queues. {@link org.readpast.retention.Retention} decides when; the engine does
 * not depend on it.
 *
 * <p>May depend on {@code schedule}, {@code engine}, {@code store}, {@code sql} and {@code api}.
 */
package org.readpast.retention;
