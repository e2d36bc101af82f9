/**
 * Contains the users of the configuration and of the server, the check of their passwords, their
 * roles, and the session that a sign-in starts.
 *
 * <p>This package must not depend on requests of the API.
 */
package org.readpast.rest.signin;
