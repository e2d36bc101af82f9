/**
 * What tells how an engine is, and tries whether it works: health, and the diagnostic job type.
 *
 * <p>Knows {@code admin} and what lies below.
 */
package org.readpast.telemetry;
