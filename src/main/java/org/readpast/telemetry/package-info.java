/**
 * What the WAR brings along beside its API: health checks, the listener's counters as metrics, and
 * the handlers of its own job types. {@code readpast.ping} tries the pipeline, {@code
 * readpast.rule} fills a rule, {@code sql} executes a statement.
 *
 * <p>Knows {@code admin} and what lies below.
 */
package org.readpast.telemetry;
