/** Metrics, spans, logs, JMX, and what the server reports about itself. */
package org.readpast.server.monitoring;
