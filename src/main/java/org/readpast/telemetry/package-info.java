/**
 * Exposes an engine to monitoring systems: JMX, metrics, spans, fields of log entries and, in the
 * WAR, health checks. Only classes that are loaded on demand refer to APIs that a server may lack
 * (MicroProfile Metrics, OpenTelemetry).
 *
 * <p>This package may depend on {@code admin} and the packages below it.
 */
package org.readpast.telemetry;
