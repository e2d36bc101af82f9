/** Signing in, and what each role may do: every route of the WAR for every role. */
package org.readpast.server.access;
