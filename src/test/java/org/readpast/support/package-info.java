/**
 * Contains what tests and the development launcher share: a real PostgreSQL, real servers in
 * separate processes, and waiting for conditions. This package knows the directory layouts of the
 * servers.
 */
package org.readpast.support;
