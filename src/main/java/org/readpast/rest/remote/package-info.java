/**
 * Contains the remote EJB for other applications on the server, which reads its requests by the
 * same rules as the HTTP API.
 *
 * <p>Knows {@code rest.jobs} and what lies below.
 */
package org.readpast.rest.remote;
