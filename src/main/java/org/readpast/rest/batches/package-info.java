/**
 * Contains the resource for batches.
 *
 * <p>Knows {@code rest.jobs} and what lies below.
 */
package org.readpast.rest.batches;
