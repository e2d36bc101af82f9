/** Contains the tests of metrics, spans, logs, JMX, and of what the server reports about itself. */
package org.readpast.server.monitoring;
