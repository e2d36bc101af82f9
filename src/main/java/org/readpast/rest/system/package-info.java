/**
 * Contains the resources about the system as a whole: overview, throughput, events, nodes,
 * listeners, configuration, encryption keys and the audit log. The package also serves the
 * documentation.
 *
 * <p>Knows {@code rest.jobs}, {@code rest.queues} and what lies below.
 */
package org.readpast.rest.system;
