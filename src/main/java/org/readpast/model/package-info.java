/**
 * Contains the rules of a job's life, independent of any container or database: transitions,
 * outcomes, retry policies, failures, names, schedules.
 *
 * <p>May depend on {@code api} only.
 */
package org.readpast.model;
