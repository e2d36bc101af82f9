/**
 * Contains the resource for batches.
 *
 * <p>This package may depend on {@code rest.jobs} and the packages below it.
 */
package org.readpast.rest.batches;
