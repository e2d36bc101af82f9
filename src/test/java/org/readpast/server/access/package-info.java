/**
 * Contains the tests of signing in, and of the permissions of each role for every route of the WAR.
 */
package org.readpast.server.access;
