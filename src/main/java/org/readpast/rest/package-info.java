/**
 * Defines the HTTP API under {@code /api}, which the WAR's {@code META-INF/openapi.yaml} describes,
 * and serves the documentation next to it.
 *
 * <p>The resources are in packages by subject, each next to the requests that it reads and the
 * answers that it gives. Every subject may use {@code rest.access}, which uses {@code rest.oidc},
 * {@code rest.signin} and {@code rest.http}, in this order.
 *
 * <p>The packages know {@code admin} and what lies below.
 */
package org.readpast.rest;
