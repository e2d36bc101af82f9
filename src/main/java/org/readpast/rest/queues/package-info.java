/**
 * Contains the resources for queues, for the job types and groups in them, and for enqueueing.
 *
 * <p>This package may depend on {@code rest.jobs} and the packages below it.
 */
package org.readpast.rest.queues;
