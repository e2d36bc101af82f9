/**
 * Provides the HTTP API under {@code /api}: authentication, conversion between JSON and jobs, and
 * errors as {@code application/problem+json}. The WAR's {@code META-INF/openapi.yaml} describes the
 * requests and responses.
 *
 * <p>JSON values that this package does not interpret (payloads) stay slices of the received text,
 * so that not a digit is lost; see {@link org.readpast.rest.JsonText}.
 *
 * <p>It also contains the remote EJB for other applications on the server, {@link
 * org.readpast.rest.RemoteQueue}, which reads its requests by the same rules.
 *
 * <p>Knows {@code admin} and what lies below.
 */
package org.readpast.rest;
