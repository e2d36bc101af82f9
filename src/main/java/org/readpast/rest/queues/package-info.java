/**
 * Contains the resources for queues, for the job types and groups in them, and for enqueueing.
 *
 * <p>Knows {@code rest.jobs} and what lies below.
 */
package org.readpast.rest.queues;
