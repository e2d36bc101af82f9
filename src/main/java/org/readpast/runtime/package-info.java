/**
 * Connects the engine to a Jakarta EE server: configuration, schema, transactions, threads, timers,
 * discovery of handlers by CDI, startup and shutdown.
 *
 * <p>This package may depend on every other package.
 */
package org.readpast.runtime;
