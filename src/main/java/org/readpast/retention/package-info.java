/**
 * Deletes data whose retention has expired: ended jobs, attempts, batches, runs of schedules,
 * nodes, audit entries, and unused queues. {@link org.readpast.retention.Retention} decides when to
 * do so; the engine does not depend on it.
 *
 * <p>This package may depend on {@code schedule}, {@code engine}, {@code store}, {@code sql},
 * {@code database} and {@code api}.
 */
package org.readpast.retention;
