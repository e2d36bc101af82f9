/**
 * Contains the resources about the system as a whole: overview, throughput, events, nodes,
 * listeners, configuration, encryption keys and the audit log. The package also serves the
 * documentation.
 *
 * <p>This package may depend on {@code rest.jobs}, {@code rest.queues} and the packages below them.
 */
package org.readpast.rest.system;
