/**
 * Determines who calls the API and what this caller may do: authentication, the session resource,
 * and the roles that a resource requires. The package also responds to repeated requests, whose
 * idempotency keys belong to their caller.
 *
 * <p>This package may depend on {@code rest.oidc}, {@code rest.signin} and {@code rest.http}.
 */
package org.readpast.rest.access;
