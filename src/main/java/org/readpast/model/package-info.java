/**
 * Contains the rules of a job's life cycle, independent of containers and databases: transitions,
 * outcomes, retry policies, failures, names and schedules.
 *
 * <p>This package may depend on {@code api} only.
 */
package org.readpast.model;
