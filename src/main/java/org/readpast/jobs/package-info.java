/**
 * Handles the job types that only the WAR contains: {@code readpast.ping} tests the path from
 * enqueue to completion, {@code readpast.rule} runs a rule, and {@code sql} executes a statement.
 *
 * <p>This package may depend on {@code admin} and the packages below it.
 */
package org.readpast.jobs;
