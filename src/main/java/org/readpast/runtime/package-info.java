/**
 * The shell around the engine in a Jakarta EE server: configuration, schema, transactions, threads,
 * timers, handlers found by CDI, start and stop.
 *
 * <p>May know everything.
 */
package org.readpast.runtime;
