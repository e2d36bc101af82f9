/**
 * What tests and the development launcher share: a real PostgreSQL, real servers as processes,
 * waiting for a condition. It knows the servers' file layouts, and nothing of the queue itself.
 */
package org.readpast.support;
