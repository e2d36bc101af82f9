/**
 * What monitors see: health checks, and the listener's counters as metrics.
 *
 * <p>Knows {@code admin} and what lies below.
 */
package org.readpast.telemetry;
