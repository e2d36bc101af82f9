/**
 * The rules of a job's life, free of any container or database: transitions, outcomes, retry
 * policies, failures, names, schedules.
 *
 * <p>Knows {@code api} only.
 */
package org.readpast.model;
