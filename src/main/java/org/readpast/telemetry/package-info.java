/**
 * Shows an engine to monitors: JMX, metrics, spans, fields of log lines and, in the WAR, health
 * checks. Only classes that are loaded on demand refer to what a server may lack (MicroProfile
 * Metrics, OpenTelemetry).
 *
 * <p>May depend on {@code admin} and the packages below it.
 */
package org.readpast.telemetry;
