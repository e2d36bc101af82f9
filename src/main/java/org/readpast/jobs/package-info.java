/**
 * Handlers of the job types that the WAR brings, and only the WAR: {@code readpast.ping} tries the
 * pipeline, {@code readpast.rule} fills a rule, {@code sql} executes a statement.
 *
 * <p>Knows {@code admin} and what lies below.
 */
package org.readpast.jobs;
