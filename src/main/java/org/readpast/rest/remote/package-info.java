/**
 * Contains the remote EJB for other applications on the server, which reads its requests by the
 * same rules as the HTTP API.
 *
 * <p>This package may depend on {@code rest.jobs} and the packages below it.
 */
package org.readpast.rest.remote;
