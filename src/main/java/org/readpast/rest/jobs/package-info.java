/**
 * Contains the resources that show and change jobs, the parser of jobs in requests, and the masking
 * of payloads.
 *
 * <p>This package may depend on {@code rest.access} and the packages below it. Other subjects use
 * this package where they show or read a job.
 */
package org.readpast.rest.jobs;
