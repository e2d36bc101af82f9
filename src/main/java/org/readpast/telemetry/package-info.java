/**
 * What monitoring sees: health checks, and {@code readpast.ping}, the job that tries the pipeline.
 *
 * <p>Knows {@code engine} and what lies below.
 */
package org.readpast.telemetry;
