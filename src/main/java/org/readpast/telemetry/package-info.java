/**
 * What monitors see of an engine: JMX, metrics, spans, fields of log lines; in the WAR also health
 * checks. What a server may lack (MicroProfile Metrics, OpenTelemetry) is named only in classes
 * that are loaded where it is.
 *
 * <p>Knows {@code admin} and what lies below.
 */
package org.readpast.telemetry;
