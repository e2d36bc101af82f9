/**
 * Contains the client of an OpenID provider: the redirects for sign-ins, the access tokens of
 * programs, and the configuration of both.
 *
 * <p>This package may depend on {@code rest.signin} and {@code rest.http}.
 */
package org.readpast.rest.oidc;
