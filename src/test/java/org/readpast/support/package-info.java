/**
 * Contains what tests and the development launcher share: a real PostgreSQL, real servers as
 * processes, and waiting for conditions. It knows the servers' file layouts.
 */
package org.readpast.support;
