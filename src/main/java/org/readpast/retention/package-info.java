/**
 * How long what has ended is kept: jobs, attempts, batches, runs of schedules, nodes, the audit,
 * unused queues. {@link org.readpast.retention.Retention} decides when, and is not known to the
 * engine.
 *
 * <p>Knows {@code schedule}, {@code engine}, {@code store}, {@code sql} and {@code api}.
 */
package org.readpast.retention;
