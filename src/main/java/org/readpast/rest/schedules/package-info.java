/**
 * Contains the resource for schedules and their runs.
 *
 * <p>Knows {@code rest.jobs} and what lies below.
 */
package org.readpast.rest.schedules;
