/**
 * Defines the HTTP API under {@code /api}, which the WAR's {@code META-INF/openapi.yaml} describes,
 * and serves the documentation next to it.
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
