/**
 * Provides the HTTP API under {@code /api}: authentication, conversion between JSON and jobs, and
 * errors as {@code application/problem+json}. The WAR's {@code META-INF/openapi.yaml} describes the
 * requests and responses.
 *
 * <p>Payloads and other JSON values that this package does not interpret stay slices of the
 * received text, so that numbers keep all digits; see {@link org.readpast.rest.JsonText}.
 *
 * <p>The package also contains {@link org.readpast.rest.RemoteQueue}, the remote EJB for other
 * applications on the server, whose requests follow the same rules.
 *
 * <p>This package depends on {@code admin} and the packages below it.
 */
package org.readpast.rest;
