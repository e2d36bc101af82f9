/**
 * Contains the resources that show and change jobs, the form in which requests give a job, and the
 * masking of payloads.
 *
 * <p>Knows {@code rest.access} and what lies below. Other subjects use this package where they show
 * or read a job.
 */
package org.readpast.rest.jobs;
