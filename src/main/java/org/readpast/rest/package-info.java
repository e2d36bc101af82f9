/**
 * Defines the HTTP API under {@code /api}, which the WAR's {@code META-INF/openapi.yaml} describes.
 * Each subject has a package with its resources, responses and request bodies: {@code jobs}, {@code
 * queues}, {@code schedules}, {@code rules}, {@code batches}, {@code system}, and {@code remote}
 * for the remote EJB, whose requests follow the same rules. All resources use {@code access}, which
 * decides what callers may do, {@code oidc} and {@code signin}, which determine who they are, and
 * {@code http}.
 *
 * <p>Payloads and other JSON values that these packages do not interpret stay slices of the
 * received text, so that numbers keep all digits; see {@link org.readpast.rest.http.JsonText}.
 */
package org.readpast.rest;
