/**
 * Contains the resource for schedules and their runs.
 *
 * <p>This package may depend on {@code rest.jobs} and the packages below it.
 */
package org.readpast.rest.schedules;
